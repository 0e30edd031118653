package io.queenmq.engine.spool;

import io.queenmq.engine.push.SpoolGateway.Decision;

/** The rule by which a message is stored in its partition, in the spool, or nowhere. */
final class SpoolPolicy {
    private SpoolPolicy() {}

    /**
     * @param isBehind the spool may hold earlier messages of the partition
     * @param isCatchingUp these are so few that they will be stored within moments, and the message may wait for that
     * @param isAway PostgreSQL is known to store nothing
     * @param isKeptOut an operator has switched off pushes
     * @param isOpen the spool accepts messages
     */
    static Decision decide(boolean isBehind, boolean isCatchingUp, boolean isAway, boolean isKeptOut, boolean isOpen) {
        if (isBehind && isCatchingUp && !isAway && !isKeptOut) {
            // If they were spooled as well, messages of a busy producer would keep the partition in the spool for good.
            return Decision.WAIT;
        }
        if (isBehind || isKeptOut) {
            return isOpen ? Decision.SPOOL : Decision.REJECT;
        }
        // A message that finds the spool full waits for PostgreSQL as if there were no spool.
        return isAway && isOpen ? Decision.SPOOL : Decision.STORE;
    }
}
