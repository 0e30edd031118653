package io.queenmq.engine.spool;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.queue.Queue;
import org.jspecify.annotations.Nullable;

/** The availability of each shard and of the catalog. Owned by the engine loop. */
public final class ShardAvailability {
    private final ShardConnections connections;

    public ShardAvailability(ShardConnections connections) {
        this.connections = connections;
    }

    /** Returns true if any shard or the catalog is known to be unavailable. Called for every request. */
    boolean isAnyUnavailable() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (isUnavailable(shard)) {
                return true;
            }
        }
        return isUnavailable(ShardConnections.CATALOG);
    }

    /**
     * Returns true if the shard of the partition is known to be unavailable: disconnected, or unable to execute calls.
     *
     * @param queue null for a queue that must be created first, in the catalog
     */
    boolean isUnavailable(@Nullable Queue queue, String partition) {
        return isUnavailable(shardOf(queue, partition));
    }

    /** Returns the shard of the partition, or the catalog if the queue is null. */
    int shardOf(@Nullable Queue queue, String partition) {
        if (connections.shards().count() == 1) {
            return 0;
        }
        return queue == null ? ShardConnections.CATALOG : connections.shardOf(queue.partitionId(partition));
    }

    boolean isConnected(int shard) {
        return connections.of(shard, Durability.FLUSHED).isConnected();
    }

    /** Returns true if at least one shard is connected. */
    boolean isAnyConnected() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (isConnected(shard)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if all shards and the catalog are connected. */
    boolean isAllConnected() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (!isConnected(shard)) {
                return false;
            }
        }
        return isConnected(ShardConnections.CATALOG);
    }

    private boolean isUnavailable(int shard) {
        ConnectionPool flushed = connections.of(shard, Durability.FLUSHED);
        return !flushed.isConnected() || flushed.unavailableReason() != null;
    }
}
