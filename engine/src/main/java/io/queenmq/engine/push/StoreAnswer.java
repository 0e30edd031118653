package io.queenmq.engine.push;

/** The answer of the routines that append segments, for one segment. */
public sealed interface StoreAnswer {
    StoreAnswer NOTHING = new Nothing();
    StoreAnswer NOT_STORED = new NotStored();
    StoreAnswer OUTDATED = new Outdated();

    /** All messages are stored from this offset on. */
    record Stored(long base, long createdAtMicros) implements StoreAnswer {}

    /**
     * The queue had room for only some of the messages.
     *
     * @param count how many are stored; the offset and the time have no meaning if there are none
     * @param why tells producers why the others were rejected
     */
    record Truncated(int count, long base, long createdAtMicros, String why) implements StoreAnswer {}

    /** There was nothing to store, because no message could be encrypted. */
    record Nothing() implements StoreAnswer {}

    /** The partition has moved on, is locked or does not exist. */
    record NotStored() implements StoreAnswer {}

    /** Encryption was switched on somewhere since the segment was made. */
    record Outdated() implements StoreAnswer {}
}
