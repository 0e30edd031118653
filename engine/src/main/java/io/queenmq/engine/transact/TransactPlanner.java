package io.queenmq.engine.transact;

/** Decides the next step of a transaction that owns its partitions. Contains no I/O, clock or callback. */
final class TransactPlanner {
    private TransactPlanner() {}

    enum Next {
        /** Calls the database. */
        CALL,
        /** Begins again: leases and duplicates were found in another history of the database. */
        REPEAT,
        /** An earlier call of this server executed the transaction, and its messages are not counted yet. */
        COUNT_AND_COMMIT,
        /** The whole transaction took effect before. */
        COMMIT,
        /** An earlier attempt was rejected, and nothing took effect. */
        REJECT
    }

    /**
     * @param isOutdated the database has another history since the attempt began
     * @param isStored its own messages were found in their partition
     * @param isDoneAlready the whole transaction took effect before
     * @param isRejected an earlier attempt was rejected
     */
    static Next onReady(boolean isOutdated, boolean isStored, boolean isDoneAlready, boolean isRejected) {
        if (isOutdated && !isStored) {
            return Next.REPEAT;
        }
        if (isDoneAlready) {
            return isStored ? Next.COUNT_AND_COMMIT : Next.COMMIT;
        }
        return isRejected ? Next.REJECT : Next.CALL;
    }
}
