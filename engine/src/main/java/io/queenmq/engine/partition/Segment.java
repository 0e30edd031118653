package io.queenmq.engine.partition;

/**
 * One stored run of messages of a partition: the lines of its body are the messages from offset base on. Immutable but for
 * the line index, which any thread may compute; all compute the same.
 */
public final class Segment {
    private final long base;
    private final int count;
    private final long createdAtMicros;
    private final long[] hashes;
    private final byte[] body;
    private volatile int[] lineEnds;

    /**
     * @param createdAtMicros microseconds since 1970, UTC
     * @param hashes the hash of each message's transactionId
     */
    public Segment(long base, long createdAtMicros, long[] hashes, byte[] body) {
        this.base = base;
        this.count = hashes.length;
        this.createdAtMicros = createdAtMicros;
        this.hashes = hashes;
        this.body = body;
    }

    public long base() {
        return base;
    }

    public long end() {
        return base + count;
    }

    public int count() {
        return count;
    }

    public long createdAtMicros() {
        return createdAtMicros;
    }

    /** The hash of each message's transactionId; not to be changed. */
    public long[] hashes() {
        return hashes;
    }

    public byte[] body() {
        return body;
    }

    /** Where the line of the message at this position begins in the body. */
    public int lineStart(int position) {
        return position == 0 ? 0 : lineEnds()[position - 1] + 1;
    }

    /** Where the line of the message at this position ends in the body; its line break is not part of it. */
    public int lineEnd(int position) {
        return lineEnds()[position];
    }

    private int[] lineEnds() {
        int[] ends = lineEnds;
        if (ends == null) {
            ends = new int[count];
            int found = 0;
            for (int i = 0; found < count; i++) {
                if (body[i] == '\n') {
                    ends[found++] = i;
                }
            }
            lineEnds = ends;
        }
        return ends;
    }
}
