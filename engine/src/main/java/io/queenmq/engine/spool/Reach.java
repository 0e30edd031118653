package io.queenmq.engine.spool;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.queue.Queue;

/** Which partitions can be stored to now: one shard may be away while others are not. Owned by the engine loop. */
public final class Reach {
    private final ShardConnections connections;

    public Reach(ShardConnections connections) {
        this.connections = connections;
    }

    /** Whether any shard, or the catalog, is known not to take anything. Asked for every request. */
    boolean isAnyAway() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (isAway(shard)) {
                return true;
            }
        }
        return isAway(ShardConnections.CATALOG);
    }

    /**
     * Whether the partition's shard is known not to take anything, because it cannot be reached or cannot work.
     *
     * @param queue null for one that has to be created first, which is for the catalog to do
     */
    boolean isAway(Queue queue, String partition) {
        return isAway(shardOf(queue, partition));
    }

    /** The number of the shard that holds the partition, or that of the catalog. */
    int shardOf(Queue queue, String partition) {
        if (connections.shards().count() == 1) {
            return 0;
        }
        return queue == null ? ShardConnections.CATALOG : connections.shardOf(queue.partitionId(partition));
    }

    boolean isConnected(int shard) {
        return connections.of(shard, Durability.FLUSHED).isConnected();
    }

    /** Whether anything can be stored. */
    boolean isAnyConnected() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (isConnected(shard)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all can be. */
    boolean isAllConnected() {
        for (int shard = 0; shard < connections.shards().count(); shard++) {
            if (!isConnected(shard)) {
                return false;
            }
        }
        return isConnected(ShardConnections.CATALOG);
    }

    private boolean isAway(int shard) {
        ConnectionPool flushed = connections.of(shard, Durability.FLUSHED);
        return !flushed.isConnected() || flushed.complaint() != null;
    }
}
