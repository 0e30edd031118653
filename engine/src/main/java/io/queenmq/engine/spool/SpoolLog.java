package io.queenmq.engine.spool;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries in the order they were appended, in files of bounded size. An entry is there after a crash once {@link #append}
 * has returned, until it is settled. All methods block, and one thread at a time may call them: it owns the files.
 */
final class SpoolLog {
    private static final Logger log = LoggerFactory.getLogger(SpoolLog.class);
    private static final String DAMAGED = "damaged-";
    private static final String PROBE = "probe";
    private static final int CHUNK_BYTES = 1 << 20;

    private final Folder folder;
    private final long fileBytesMax;
    private final TreeMap<Long, LogFile> files = new TreeMap<>();
    private final ArrayDeque<SpoolEntry.Numbered> loaded = new ArrayDeque<>();
    private LogFile active;
    private Folder.Appender appender;
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
     * Reads what is in the folder. What was half written when the server or the machine crashed is cut off: nobody was
     * told that it was accepted. What is damaged elsewhere is kept in a file of its own, for people to look at.
     *
     * @param onOpen is told of every entry that is not settled
     * @param fileBytesMax a new file is begun when one has so many bytes
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
        sweep();
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
                    log.warn(
                            "the last {} bytes of the spool were not written completely before it crashed and are cut off",
                            to - from);
                    folder.truncate(file.name(), from);
                } else {
                    keepDamaged(file, from, Arrays.copyOfRange(bytes, from, to), names);
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

    private void keepDamaged(LogFile file, long from, byte[] bytes, List<String> names) throws IOException {
        String name = DAMAGED + file.name() + "-" + from;
        log.error("{} bytes of {} are damaged; they are kept in {}", bytes.length, file.name(), name);
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
     * Appends entries and flushes them to disk. When that fails none of them is accepted, and the file is never written
     * to again: what a disk says after an error is not to be relied on.
     *
     * @return the sequence number of the first; the others follow
     */
    long append(List<SpoolEntry> entries) throws IOException {
        long sequence = next;
        // Also when it fails: what is left of it may be found again.
        next += entries.size();
        long bytes = 0;
        try {
            if (active == null) {
                LogFile file = new LogFile(folder, sequence);
                appender = folder.create(file.name());
                active = file;
                files.put(sequence, file);
            }
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (int i = 0; i < entries.size(); i++) {
                chunk.writeBytes(RecordFormat.encode(sequence + i, entries.get(i)));
                if (chunk.size() >= CHUNK_BYTES || i == entries.size() - 1) {
                    appender.append(chunk.toByteArray());
                    bytes += chunk.size();
                    chunk.reset();
                }
            }
            appender.sync();
        } catch (IOException e) {
            abandon();
            throw e;
        }
        active.added(sequence, entries.size(), bytes);
        if (active.bytes() >= fileBytesMax) {
            closeActive();
        }
        return sequence;
    }

    private void abandon() {
        if (active == null) {
            return;
        }
        LogFile file = active;
        closeActive();
        try {
            folder.truncate(file.name(), file.bytes());
        } catch (IOException e) {
            log.warn("what could not be written completely stays in {}: {}", file.name(), e.getMessage());
        }
        if (file.openCount() == 0) {
            sweep();
        }
    }

    private void closeActive() {
        appender.close();
        appender = null;
        active = null;
    }

    /** What was read. */
    record Portion(List<SpoolEntry.Numbered> entries, int lost) {}

    /** The next entries that are not settled, in order, none of them twice. Some that were there may be lost now. */
    Portion read(int countMax, long bytesMax) throws IOException {
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
        return new Portion(entries, lost);
    }

    private LogFile fileToRead() {
        Map.Entry<Long, LogFile> begun = files.floorEntry(readFrom);
        if (begun != null && readFrom < begun.getValue().end()) {
            return begun.getValue();
        }
        Map.Entry<Long, LogFile> following = files.higherEntry(readFrom);
        return following == null || following.getValue().end() == following.getKey() ? null : following.getValue();
    }

    /** Loads the rest of a file, and answers how many entries of it are lost. */
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
                keepDamaged(file, offset + from, Arrays.copyOfRange(bytes, from, to), folder.names());
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
     * These are stored, or set aside, and are not read again, also after a crash, unless the disk fails; then they are
     * recognised when they are stored once more.
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
                    log.warn("what was stored cannot be marked in the spool: {}", e.getMessage());
                }
            }
            from = to;
        }
        sweep();
    }

    /** Deletes files in which everything is settled. One that cannot be deleted now is tried again. */
    private void sweep() {
        for (LogFile file : List.copyOf(files.values())) {
            if (file.openCount() > 0) {
                continue;
            }
            if (file == active) {
                closeActive();
            }
            try {
                file.delete();
                files.remove(file.first());
            } catch (IOException e) {
                log.warn("{} cannot be deleted: {}", file.name(), e.getMessage());
            }
        }
    }

    /** Goes through all that is not settled, in order, without reading it: it can be read all the same. */
    void forEachOpen(Consumer<SpoolEntry.Numbered> action) throws IOException {
        for (LogFile file : List.copyOf(files.values())) {
            byte[] bytes = folder.read(file.name(), 0);
            RecordFormat.scan(bytes, (int) Math.min(bytes.length, file.bytes()),
                    new RecordFormat.Visitor() {
                        @Override
                        public void record(SpoolEntry.Numbered record, int from, int to) {
                            if (!file.isSettled(record.sequence())) {
                                action.accept(record);
                            }
                        }

                        @Override
                        public void damage(int from, int to) {
                            // Found and reported when the log was opened, or will be then.
                        }
                    });
        }
    }

    /** Finds out whether the disk takes anything. */
    void probe() throws IOException {
        folder.delete(PROBE);
        Folder.Appender probe = folder.create(PROBE);
        try {
            probe.append(PROBE.getBytes(StandardCharsets.US_ASCII));
            probe.sync();
        } finally {
            probe.close();
            folder.delete(PROBE);
        }
    }

    /** Entries with a smaller sequence number were there when the log was opened. Never changes, so any thread may ask. */
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

    /** How many pieces of damaged bytes are kept. */
    int damagedCount() {
        return damaged;
    }

    void close() {
        if (active != null) {
            closeActive();
        }
    }
}
