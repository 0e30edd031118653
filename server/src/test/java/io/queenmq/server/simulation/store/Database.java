package io.queenmq.server.simulation.store;

import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The tables, and the clock by which everything is judged. */
final class Database {
    /** The group of those who name none. */
    static final String NO_GROUP = "__QUEUE_MODE__";

    final CatalogTable catalog = new CatalogTable();
    final LaneTable lanes = new LaneTable();
    final LeaseLog leaseLog = new LeaseLog();
    final CursorTable cursors = new CursorTable(leaseLog);
    final SubscriptionTable subscriptions = new SubscriptionTable();
    final DeadLetterTable deadLetters = new DeadLetterTable();
    final QueueSizes sizes = new QueueSizes(this);
    final MessageLog messages = new MessageLog();
    final Locks locks = new Locks();
    private final LongSupplier nowMicros;
    private final Supplier<UUID> newIds;

    Database(LongSupplier nowMicros, Supplier<UUID> newIds) {
        this.nowMicros = nowMicros;
        this.newIds = newIds;
    }

    long now() {
        return nowMicros.getAsLong();
    }

    UUID newId() {
        return newIds.get();
    }
}
