package io.queenmq.engine.spool;

import io.queenmq.engine.push.SpoolGateway.Decision;

/** Decides whether a message is stored in its partition, spooled, or rejected. */
final class SpoolPolicy {
    private SpoolPolicy() {}

    /**
     * @param isBehind the spool may hold earlier messages of the partition
     * @param isCatchingUp these messages are few, so they are stored soon, and the new message may wait until then
     * @param isUnavailable the shard is known to be unavailable
     * @param isPushOff an operator has switched off pushes
     * @param isOpen the spool accepts messages
     */
    static Decision decide(boolean isBehind, boolean isCatchingUp, boolean isUnavailable, boolean isPushOff,
            boolean isOpen) {
        if (isBehind && isCatchingUp && !isUnavailable && !isPushOff) {
            // If new messages were spooled as well, a busy producer would keep the partition in the spool forever.
            return Decision.WAIT;
        }
        if (isBehind || isPushOff) {
            return isOpen ? Decision.SPOOL : Decision.REJECT;
        }
        // A message that finds the spool full waits for PostgreSQL as if there were no spool.
        return isUnavailable && isOpen ? Decision.SPOOL : Decision.STORE;
    }
}
