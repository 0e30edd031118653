package io.queenmq.engine.spool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of the log, and the files that mark its settled entries: those that are stored, or refused by PostgreSQL.
 * All of them are append-only. Owned by {@link SpoolLog}.
 */
final class LogFile {
    static final String ENTRIES = ".spool";
    static final String MARKS = ".settled";

    private static final int NAME_DIGITS = 16;

    /** The first and the last sequence number, and a checksum. */
    private static final int MARK_BYTES = 8 + 8 + 4;

    private final Folder folder;
    private final long first;
    private final BitSet settled = new BitSet();
    private int count;
    private long bytes;
    private Folder.@Nullable Appender marks;
    private int marksMade;

    /** @param first the sequence number of its first entry, which determines its name */
    LogFile(Folder folder, long first) {
        this.folder = folder;
        this.first = first;
    }

    static long firstOf(String name) {
        return Long.parseUnsignedLong(name.substring(0, NAME_DIGITS), 16);
    }

    String name() {
        return nameOf(first) + ENTRIES;
    }

    private static String nameOf(long first) {
        return String.format(Locale.ROOT, "%016x", first);
    }

    long first() {
        return first;
    }

    long end() {
        return first + count;
    }

    /** Returns the size of the flushed entries, which survive a crash. */
    long bytes() {
        return bytes;
    }

    int openCount() {
        return count - settled.cardinality();
    }

    boolean isSettled(long sequence) {
        return settled.get((int) (sequence - first));
    }

    /**
     * Records an entry that was found in the file. Entries between the previous one and this one are lost, and count as
     * settled.
     */
    void found(long sequence, long bytes) {
        int index = (int) (sequence - first);
        settled.set(count, Math.max(count, index));
        count = Math.max(count, index + 1);
        this.bytes = bytes;
    }

    /**
     * Records entries that were appended and flushed. Sequence numbers between these and the previous entries were
     * never used.
     */
    void added(long sequence, int entries, long bytes) {
        found(sequence, this.bytes + bytes);
        count += entries - 1;
    }

    void settle(long sequence) {
        settled.set((int) (sequence - first));
    }

    /** Reads the marks of settled entries. A torn or damaged mark, and all marks after it, are ignored. */
    void readMarks(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        while (all.remaining() >= MARK_BYTES) {
            int at = all.position();
            long from = all.getLong();
            long to = all.getLong();
            if (all.getInt() != checksum(bytes, at)) {
                return;
            }
            settled.set((int) (from - first), (int) (Math.min(to + 1, Math.max(from, end())) - first));
        }
    }

    /** Marks entries as settled and flushes the marks, so that the entries are not stored again after a crash. */
    void mark(long[] sequences) throws IOException {
        ByteBuffer made = ByteBuffer.allocate(sequences.length * MARK_BYTES);
        for (int i = 0; i < sequences.length;) {
            int last = i;
            while (last + 1 < sequences.length && sequences[last + 1] == sequences[last] + 1) {
                last++;
            }
            int at = made.position();
            made.putLong(sequences[i]).putLong(sequences[last]);
            made.putInt(checksum(made.array(), at));
            i = last + 1;
        }
        byte[] written = new byte[made.position()];
        made.flip().get(written);
        if (marks == null) {
            // An earlier file may end with a torn mark, and marks after it would be ignored.
            marks = folder.create(nameOf(first) + "-" + ++marksMade + MARKS);
        }
        try {
            marks.append(written);
            marks.sync();
        } catch (IOException e) {
            marks.close();
            marks = null;
            throw e;
        }
    }

    /** Records the number of an existing file of marks. */
    void foundMarks(int number) {
        marksMade = Math.max(marksMade, number);
    }

    static int numberOfMarks(String name) {
        return Integer.parseInt(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }

    /** Deletes the entries first: marks without entries are harmless, but entries without marks would be stored again. */
    void delete() throws IOException {
        if (marks != null) {
            marks.close();
            marks = null;
        }
        folder.delete(name());
        for (int i = 1; i <= marksMade; i++) {
            folder.delete(nameOf(first) + "-" + i + MARKS);
        }
    }

    private static int checksum(byte[] bytes, int at) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, at, MARK_BYTES - 4);
        return (int) checksum.getValue();
    }
}
