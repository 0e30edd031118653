package io.queenmq.server.catalog;

/**
 * What is read to learn whether the queues have to be read again.
 *
 * @param version another one means that something changed
 * @param encryptionEpoch another one means that the encryption of a queue was switched on
 */
record CatalogState(long version, Maintenance maintenance, long encryptionEpoch) {
    static final CatalogState UNKNOWN = new CatalogState(-1, Maintenance.NONE, -1);
}
