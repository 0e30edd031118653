package io.queenmq.engine.push;

/**
 * The rule by which a message of a queue is a duplicate: a message with the same transactionId is stored in its partition,
 * the two were accepted less than the window apart by PostgreSQL's clock, and fewer than {@code messagesMax} messages were
 * stored after the other one. A window of 0, or no messages, means that nothing is a duplicate.
 */
record DedupRule(long windowMicros, int messagesMax) {
    private static final long SECOND_MICROS = 1_000_000;

    static DedupRule ofSeconds(long windowSeconds, int messagesMax) {
        return new DedupRule(windowSeconds * SECOND_MICROS, messagesMax);
    }

    boolean isOff() {
        return windowMicros == 0 || messagesMax == 0;
    }

    /** Returns true if messages accepted at these times may be duplicates of each other. */
    boolean isWithinWindow(long acceptedMicros, long otherMicros) {
        return Math.abs(acceptedMicros - otherMicros) < windowMicros;
    }

    /** Returns the first offset whose message may make a message at the head a duplicate. */
    long firstOffset(long head) {
        return isOff() ? head : Math.max(0, head - messagesMax);
    }

    int windowSeconds() {
        return (int) (windowMicros / SECOND_MICROS);
    }
}
