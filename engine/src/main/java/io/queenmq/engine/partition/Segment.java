package io.queenmq.engine.partition;

import org.jspecify.annotations.Nullable;

/**
 * A stored segment: the messages that one call appended to a partition. The lines of the body are the messages from offset base
 * on. Immutable, except for the line index, which any thread may compute with the same result.
 */
public final class Segment {
    private final long base;
    private final int count;
    private final long createdAtMicros;
    private final long[] hashes;
    private final byte[] body;
    private volatile int @Nullable [] lineEnds;

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

    /** Returns the hash of each message's transactionId. The array must not be changed. */
    public long[] hashes() {
        return hashes;
    }

    public byte[] body() {
        return body;
    }

    /** Returns the start of the line of the message at this position in the body. */
    public int lineStart(int position) {
        return position == 0 ? 0 : lineEnds()[position - 1] + 1;
    }

    /** Returns the end of the line of the message at this position in the body, without its line break. */
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
