package io.queenmq.engine.push;

/**
 * What a spool knows of a message besides the message itself.
 *
 * @param acceptedMicros when it was accepted, by PostgreSQL's clock
 * @param attemptBase see {@link PendingPush#attemptBase}
 * @param isRecovered whether the message may have been stored by an earlier process or under another record, so that
 *        its message id has to be looked for in its partition
 */
public record SpooledPush(long acceptedMicros, long attemptBase, boolean isRecovered) {
    /** No call with an unknown outcome has tried to store the message. */
    public static final long NOT_ATTEMPTED = -2;

    /** A call with an unknown outcome has tried to store the message as one of the first of its partition. */
    public static final long ATTEMPTED_AS_FIRST = -1;
}
