package io.queenmq.server.simulation.store;

import io.queenmq.schema.Shards;
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
    private final Shards shards;
    private final LongSupplier nowMicros;
    private final Supplier<UUID> newIds;
    private int shard;

    Database(Shards shards, LongSupplier nowMicros, Supplier<UUID> newIds) {
        this.shards = shards;
        this.nowMicros = nowMicros;
        this.newIds = newIds;
    }

    Shards shards() {
        return shards;
    }

    /** What follows is done in a session of this shard. */
    void enter(int shard) {
        this.shard = shard;
    }

    /** Whether the lane is in the shard of the session. */
    boolean isHere(Lane lane) {
        return shards.of(lane.id()) == shard;
    }

    long now() {
        return nowMicros.getAsLong();
    }

    UUID newId() {
        return newIds.get();
    }
}
