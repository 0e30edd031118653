package io.queenmq.engine.push;

import io.queenmq.engine.command.PushOutcome;

/** The answer of the routines that append segments, for one segment. */
public sealed interface StoreAnswer {
    StoreAnswer NOTHING = new Nothing();
    StoreAnswer NOT_STORED = new NotStored();
    StoreAnswer OUTDATED = new Outdated();

    /** Returns the offset of the first stored message; {@link PushOutcome#UNKNOWN_OFFSET} if no message was stored. */
    default long base() {
        return PushOutcome.UNKNOWN_OFFSET;
    }

    /** All messages are stored from this offset on. */
    record Stored(long base, long createdAtMicros) implements StoreAnswer {}

    /**
     * Only some of the messages are stored, because the queue reached its maximum size.
     *
     * @param count the number of stored messages; the offset and the time have no meaning if there are none
     * @param why the reason for which the others were rejected, for producers
     */
    record Truncated(int count, long base, long createdAtMicros, String why) implements StoreAnswer {}

    /** There was nothing to store, because no message could be encrypted. */
    record Nothing() implements StoreAnswer {}

    /** The partition has a new head, is locked or does not exist. */
    record NotStored() implements StoreAnswer {}

    /** The encryption epoch of the call is outdated: encryption was enabled for some queue since the segment was created. */
    record Outdated() implements StoreAnswer {}
}
