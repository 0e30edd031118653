package io.queenmq.engine.simulation.store;

import io.queenmq.schema.Shards;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The tables and the clock of the database. */
final class Database {
    /** The group of requests that name none. */
    static final String NO_GROUP = "__QUEUE_MODE__";

    final CatalogTable catalog = new CatalogTable();
    final PartitionTable partitions = new PartitionTable();
    final LeaseLog leaseLog = new LeaseLog();
    final CursorTable cursors = new CursorTable(leaseLog);
    final SubscriptionTable subscriptions = new SubscriptionTable();
    final DeadLetterTable deadLetters = new DeadLetterTable();
    final QueueSizes sizes = new QueueSizes(this);
    final MessageLog messages = new MessageLog();
    final Locks locks = new Locks();
    final ServerReports reports = new ServerReports();
    private final Shards shards;
    private final LongSupplier nowMicros;
    private final Supplier<UUID> newIds;
    private int shard;

    Database(Shards shards, LongSupplier nowMicros, Supplier<UUID> newIds) {
        this.shards = shards;
        this.nowMicros = nowMicros;
        this.newIds = newIds;
    }

    /** Copies all tables of another database, and the records for checks. */
    void copyFrom(Database source) {
        Map<UUID, QueueRow> queues = catalog.copyFrom(source.catalog);
        Map<UUID, Partition> copies = partitions.copyFrom(source.partitions, queues);
        leaseLog.copyFrom(source.leaseLog, cursors.copyFrom(source.cursors, copies));
        subscriptions.copyFrom(source.subscriptions);
        deadLetters.copyFrom(source.deadLetters);
        sizes.copyFrom(source.sizes);
        messages.copyFrom(source.messages);
        reports.copyFrom(source.reports);
    }

    /** Returns an empty database with the same clock. */
    Database another() {
        return new Database(shards, nowMicros, newIds);
    }

    Shards shards() {
        return shards;
    }

    /** Makes this shard the one of the current session. */
    void enter(int shard) {
        this.shard = shard;
    }

    /** Returns true if the partition is in the shard of the session. */
    boolean isHere(Partition partition) {
        return shards.of(partition.id()) == shard;
    }

    long now() {
        return nowMicros.getAsLong();
    }

    UUID newId() {
        return newIds.get();
    }
}
