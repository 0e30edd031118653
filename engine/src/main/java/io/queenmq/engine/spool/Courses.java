package io.queenmq.engine.spool;

import io.queenmq.engine.push.Refuge.Course;

/** The rule by which a message goes into its partition, into the spool, or nowhere. */
final class Courses {
    private Courses() {}

    /**
     * @param isBehind whether the spool may hold earlier messages of its partition
     * @param isCatchingUp whether these are so few that they will be stored within moments, and the message may wait for that
     * @param isAway whether PostgreSQL is known not to take anything
     * @param isKeptOut whether an operator has switched off pushes
     * @param isOpen whether the spool takes anything
     */
    static Course of(boolean isBehind, boolean isCatchingUp, boolean isAway, boolean isKeptOut, boolean isOpen) {
        if (isBehind && isCatchingUp && !isAway && !isKeptOut) {
            // Taken as well, messages of a busy producer would keep the partition behind the spool for good.
            return Course.WAIT;
        }
        if (isBehind || isKeptOut) {
            return isOpen ? Course.TAKE : Course.REFUSE;
        }
        // One that finds no room here waits for PostgreSQL as if there were no spool.
        return isAway && isOpen ? Course.TAKE : Course.STORE;
    }
}
