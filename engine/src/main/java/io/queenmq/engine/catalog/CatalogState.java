package io.queenmq.engine.catalog;

/**
 * The part of the catalog that is read first, to decide whether the queues have to be read again.
 *
 * @param version increases with every change of the catalog
 * @param subscriptionVersion changes when an operator changes subscriptions
 * @param partitionsSince revised partitions are recorded for versions after this one
 * @param encryptionEpoch changes when the encryption of a queue is switched on
 * @param isBinding true if every server decrypts messages that are bound to their position
 */
record CatalogState(long version, long subscriptionVersion, long partitionsSince, Maintenance maintenance,
        long encryptionEpoch, boolean isBinding) {
    /** The state before the first reading. */
    static final CatalogState UNKNOWN = new CatalogState(-1, 0, -1, Maintenance.NONE, -1, false);

    /** The relation of a state that was read to the state that is known. */
    enum Comparison {
        UNCHANGED,
        CHANGED,
        /** The version decreased. It never does within one history of the database, so this is another history. */
        REVERTED
    }

    boolean isUnknown() {
        return version < 0;
    }

    /**
     * Compares this state, which was read from the database, with the known one.
     *
     * @param newest the highest version whose reading was complete before this one began; negative when there was none
     */
    Comparison comparedWith(CatalogState known, long newest) {
        if (version < newest) {
            return Comparison.REVERTED;
        }
        return equals(known) ? Comparison.UNCHANGED : Comparison.CHANGED;
    }

    /** Returns this state with an earlier version, because not all changes since that version are applied. */
    CatalogState asOf(long earlier) {
        return new CatalogState(earlier, subscriptionVersion, partitionsSince, maintenance, encryptionEpoch, isBinding);
    }
}
