package io.queenmq.engine.push;

/**
 * The data of the spool about a message, besides the message itself.
 *
 * @param acceptedMicros the time at which it was accepted, by PostgreSQL's clock
 * @param attemptBase see {@link PendingPush#attemptBase}
 * @param isRecovered true if an earlier process may have stored the message, or if it may be stored under another record.
 *        Then its partition must be searched for its message id
 */
public record SpooledPush(long acceptedMicros, long attemptBase, boolean isRecovered) {
    /** No call with an unknown outcome has tried to store the message. */
    public static final long NOT_ATTEMPTED = -2;

    /** A call with an unknown outcome has tried to store the message as one of the first of its partition. */
    public static final long ATTEMPTED_AS_FIRST = -1;
}
