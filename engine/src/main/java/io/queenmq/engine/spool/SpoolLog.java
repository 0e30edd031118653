package io.queenmq.engine.spool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of entries in append order, in files of bounded size. When {@link #append} has returned, an entry survives
 * crashes until it is settled. All methods block. They must be called by one thread at a time, which owns the files.
 */
final class SpoolLog {
    private static final Logger log = LoggerFactory.getLogger(SpoolLog.class);
    private static final String DAMAGED = "damaged-";
    private static final String PROBE = "probe";
    private static final int PROBE_BYTES = 256 * 1024;
    private static final int CHUNK_BYTES = 1 << 20;

    private final Folder folder;
    private final long fileBytesMax;
    private final TreeMap<Long, LogFile> files = new TreeMap<>();
    private final ArrayDeque<SpoolEntry.Numbered> loaded = new ArrayDeque<>();
    private @Nullable ActiveFile active;
    private long next = 1;
    private long readFrom = 1;
    private long readOffset;
    private long recoveredEnd;
    private int damaged;

    private SpoolLog(Folder folder, long fileBytesMax) {
        this.folder = folder;
        this.fileBytesMax = fileBytesMax;
    }

    /**
     * Recovers the log from its folder. An incomplete record at the end is truncated: it was never reported as
     * accepted. Other damaged bytes are saved in files of their own, for inspection.
     *
     * @param onOpen called with every entry that is not settled
     * @param fileBytesMax the size at which a new file is begun
     */
    static SpoolLog open(Folder folder, long fileBytesMax, Consumer<SpoolEntry> onOpen) throws IOException {
        SpoolLog opened = new SpoolLog(folder, fileBytesMax);
        opened.recover(onOpen);
        return opened;
    }

    private void recover(Consumer<SpoolEntry> onOpen) throws IOException {
        List<String> names = folder.names();
        damaged = (int) names.stream().filter(name -> name.startsWith(DAMAGED)).count();
        for (String name : names) {
            if (name.endsWith(LogFile.ENTRIES)) {
                LogFile file = new LogFile(folder, LogFile.firstOf(name));
                files.put(file.first(), file);
            }
        }
        for (LogFile file : files.values()) {
            recover(file, names, file == files.lastEntry().getValue(), onOpen);
            next = Math.max(next, file.end());
        }
        for (String name : names) {
            if (name.endsWith(LogFile.MARKS) && !files.containsKey(LogFile.firstOf(name))) {
                folder.delete(name);
            }
        }
        deleteSettledFiles();
        readFrom = files.isEmpty() ? next : files.firstKey();
        recoveredEnd = next;
    }

    private void recover(LogFile file, List<String> names, boolean isLast, Consumer<SpoolEntry> onOpen)
            throws IOException {
        byte[] bytes = folder.read(file.name(), 0);
        List<SpoolEntry.Numbered> found = new ArrayList<>();
        RecordFormat.scan(bytes, bytes.length, new RecordFormat.Visitor() {
            @Override
            public void record(SpoolEntry.Numbered record, int from, int to) {
                file.found(record.sequence(), to);
                found.add(record);
            }

            @Override
            public void damage(int from, int to) throws IOException {
                if (isLast && to == bytes.length) {
                    log.warn("incomplete record at the end of the spool truncated, {} bytes", to - from);
                    folder.truncate(file.name(), from);
                } else {
                    saveDamaged(file, from, Arrays.copyOfRange(bytes, from, to), names);
                }
            }
        });
        for (String name : names) {
            if (name.endsWith(LogFile.MARKS) && LogFile.firstOf(name) == file.first()) {
                file.readMarks(folder.read(name, 0));
                file.foundMarks(LogFile.numberOfMarks(name));
            }
        }
        for (SpoolEntry.Numbered each : found) {
            if (!file.isSettled(each.sequence())) {
                onOpen.accept(each.entry());
            }
        }
    }

    private void saveDamaged(LogFile file, long from, byte[] bytes, List<String> names) throws IOException {
        String name = DAMAGED + file.name() + "-" + from;
        log.error("spool file damaged: {} bytes of {} saved in {}", bytes.length, file.name(), name);
        if (!names.contains(name)) {
            Folder.Appender copy = folder.create(name);
            try {
                copy.append(bytes);
                copy.sync();
            } finally {
                copy.close();
            }
            damaged++;
        }
    }

    /**
     * Appends entries and flushes them to disk. If that fails, none of them is accepted and the file is never written
     * again, because the state of a file after an I/O error is undefined.
     *
     * @return the sequence number of the first; the others follow
     */
    long append(List<SpoolEntry> entries) throws IOException {
        long sequence = next;
        // Never reuse a sequence number: records of a failed append may still be found in the file.
        next += entries.size();
        long bytes = 0;
        ActiveFile target;
        try {
            target = active == null ? begin(sequence) : active;
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (int i = 0; i < entries.size(); i++) {
                chunk.writeBytes(RecordFormat.encode(sequence + i, entries.get(i)));
                if (chunk.size() >= CHUNK_BYTES || i == entries.size() - 1) {
                    target.appender.append(chunk.toByteArray());
                    bytes += chunk.size();
                    chunk.reset();
                }
            }
            target.appender.sync();
        } catch (IOException e) {
            abandon();
            throw e;
        }
        target.file.added(sequence, entries.size(), bytes);
        if (target.file.bytes() >= fileBytesMax) {
            close(target);
        }
        return sequence;
    }

    private ActiveFile begin(long sequence) throws IOException {
        LogFile file = new LogFile(folder, sequence);
        ActiveFile begun = new ActiveFile(file, folder.create(file.name()));
        active = begun;
        files.put(sequence, file);
        return begun;
    }

    private void abandon() {
        if (active == null) {
            return;
        }
        LogFile file = active.file;
        close(active);
        try {
            folder.truncate(file.name(), file.bytes());
        } catch (IOException e) {
            log.warn("truncating spool file {} after a failed append failed: {}", file.name(), e.getMessage());
        }
        if (file.openCount() == 0) {
            deleteSettledFiles();
        }
    }

    private void close(ActiveFile file) {
        file.appender.close();
        active = null;
    }

    /** The file to which entries are appended. */
    private record ActiveFile(LogFile file, Folder.Appender appender) {}

    /** The result of reading. */
    record ReadResult(List<SpoolEntry.Numbered> entries, int lost) {}

    /** Returns the next entries that are not settled, in order, each once. Entries that became damaged count as lost. */
    ReadResult read(int countMax, long bytesMax) throws IOException {
        List<SpoolEntry.Numbered> entries = new ArrayList<>();
        int lost = 0;
        long bytes = 0;
        while (entries.size() < countMax && bytes < bytesMax) {
            if (loaded.isEmpty()) {
                LogFile file = fileToRead();
                if (file == null) {
                    break;
                }
                lost += load(file);
                continue;
            }
            bytes += loaded.peek().entry().line().length;
            entries.add(loaded.poll());
        }
        return new ReadResult(entries, lost);
    }

    private @Nullable LogFile fileToRead() {
        Map.Entry<Long, LogFile> begun = files.floorEntry(readFrom);
        if (begun != null && readFrom < begun.getValue().end()) {
            return begun.getValue();
        }
        Map.Entry<Long, LogFile> following = files.higherEntry(readFrom);
        return following == null || following.getValue().end() == following.getKey() ? null : following.getValue();
    }

    /** Loads the rest of a file. Returns the number of lost entries. */
    private int load(LogFile file) throws IOException {
        if (readFrom <= file.first()) {
            readFrom = file.first();
            readOffset = 0;
        }
        byte[] bytes = folder.read(file.name(), readOffset);
        int length = (int) Math.min(bytes.length, file.bytes() - readOffset);
        long offset = readOffset;
        BitSet seen = new BitSet();
        RecordFormat.scan(bytes, length, new RecordFormat.Visitor() {
            @Override
            public void record(SpoolEntry.Numbered record, int from, int to) {
                seen.set((int) (record.sequence() - file.first()));
                if (!file.isSettled(record.sequence())) {
                    loaded.add(record);
                }
            }

            @Override
            public void damage(int from, int to) throws IOException {
                saveDamaged(file, offset + from, Arrays.copyOfRange(bytes, from, to), folder.names());
            }
        });
        int lost = 0;
        for (long sequence = readFrom; sequence < file.end(); sequence++) {
            if (!seen.get((int) (sequence - file.first())) && !file.isSettled(sequence)) {
                file.settle(sequence);
                lost++;
            }
        }
        readFrom = file.end();
        readOffset = file.bytes();
        return lost;
    }

    /**
     * Marks entries as stored or refused. They are not read again, even after a crash. If the disk fails, they may be
     * read again, and are then recognized as duplicates.
     *
     * @param sequences ascending
     */
    void settle(long[] sequences) {
        for (int from = 0; from < sequences.length;) {
            LogFile file = files.floorEntry(sequences[from]).getValue();
            int to = from;
            while (to < sequences.length && sequences[to] < file.end()) {
                file.settle(sequences[to++]);
            }
            if (file.openCount() > 0) {
                try {
                    file.mark(Arrays.copyOfRange(sequences, from, to));
                } catch (IOException e) {
                    log.warn("marking stored spool entries failed: {}", e.getMessage());
                }
            }
            from = to;
        }
        deleteSettledFiles();
    }

    /** Deletes files in which all entries are settled. A failed deletion is retried by the next call. */
    private void deleteSettledFiles() {
        for (LogFile file : List.copyOf(files.values())) {
            if (file.openCount() > 0) {
                continue;
            }
            if (active != null && file == active.file) {
                close(active);
            }
            try {
                file.delete();
                files.remove(file.first());
            } catch (IOException e) {
                log.warn("deleting spool file {} failed, will retry: {}", file.name(), e.getMessage());
            }
        }
    }

    /** Visits all entries that are not settled, in order. Does not advance the position of {@link #read}. */
    void forEachOpen(Consumer<SpoolEntry.Numbered> action) throws IOException {
        for (LogFile file : List.copyOf(files.values())) {
            byte[] bytes = folder.read(file.name(), 0);
            RecordFormat.scan(bytes, (int) Math.min(bytes.length, file.bytes()), new RecordFormat.Visitor() {
                @Override
                public void record(SpoolEntry.Numbered record, int from, int to) {
                    if (!file.isSettled(record.sequence())) {
                        action.accept(record);
                    }
                }

                @Override
                public void damage(int from, int to) {
                    // Damage is reported when the log is opened or read.
                }
            });
        }
    }

    /** Writes and flushes a file to check the disk. The file is large, because a full disk may accept a few bytes. */
    void probe() throws IOException {
        folder.delete(PROBE);
        Folder.Appender probe = folder.create(PROBE);
        try {
            probe.append(new byte[PROBE_BYTES]);
            probe.sync();
        } finally {
            probe.close();
            folder.delete(PROBE);
        }
    }

    /**
     * Returns the sequence number before which entries were recovered when the log was opened. Constant, so safe from
     * any thread.
     */
    long recoveredEnd() {
        return recoveredEnd;
    }

    long bytes() {
        return files.values().stream().mapToLong(LogFile::bytes).sum();
    }

    int openCount() {
        return files.values().stream().mapToInt(LogFile::openCount).sum();
    }

    int fileCount() {
        return files.size();
    }

    /** Returns the number of files with damaged bytes. */
    int damagedCount() {
        return damaged;
    }

    void close() {
        if (active != null) {
            close(active);
        }
    }
}
