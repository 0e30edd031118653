package io.queenmq.engine.ack;

import java.util.Set;

/**
 * The answer of the database for the acks of one lease in one partition.
 *
 * @param isAbsent the cursor does not exist any more
 * @param isLive the lease was live, so that the acks took effect
 * @param isReleased the call ended the lease
 * @param isBusy nothing was done, because another transaction of the database locks the cursor
 * @param finished the messages that are finished now
 * @param dead the offsets of failed messages that became dead letters
 */
record AckAnswer(boolean isAbsent, boolean isLive, boolean isReleased, boolean isBusy, Finished finished,
        Set<Long> dead) {
    static final AckAnswer ABSENT = new AckAnswer(true, false, false, false, Finished.NONE, Set.of());

    /** Returns the answer for acks that took effect as a part of a transaction. */
    static AckAnswer committed(Set<Long> dead) {
        return new AckAnswer(false, true, false, false, Finished.NONE, dead);
    }

    /** Returns true if the lease has ended, by this call or before it. */
    boolean isLeaseOver() {
        return isReleased || !isLive;
    }
}
