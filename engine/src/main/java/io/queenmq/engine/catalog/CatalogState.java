package io.queenmq.engine.catalog;

/**
 * What is read to learn whether the queues have to be read again.
 *
 * @param version another one means that something changed
 * @param subscriptionVersion another one means that an operator changed subscriptions
 * @param partitionsSince revised partitions are known for versions after this one
 * @param encryptionEpoch another one means that the encryption of a queue was switched on
 * @param isBinding whether every server decrypts messages that are bound to their position
 */
record CatalogState(long version, long subscriptionVersion, long partitionsSince, Maintenance maintenance,
        long encryptionEpoch, boolean isBinding) {
    static final CatalogState UNKNOWN = new CatalogState(-1, 0, -1, Maintenance.NONE, -1,
            false);

    /** The same, but for a version whose changes are not all taken yet. */
    CatalogState asOf(long earlier) {
        return new CatalogState(earlier, subscriptionVersion, partitionsSince, maintenance, encryptionEpoch, isBinding);
    }
}
