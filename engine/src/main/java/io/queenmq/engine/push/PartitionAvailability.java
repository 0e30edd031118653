package io.queenmq.engine.push;

import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.time.Timers;

/** Decides for bundles whether partitions can be written to now or soon. Owned by the engine loop. */
final class PartitionAvailability {
    /** A partition that has been taken for longer than this is not expected to become free soon. */
    private static final long SLOW_AFTER_NS = 100_000_000;

    private final ShardConnections connections;
    private final Timers timers;

    PartitionAvailability(ShardConnections connections, Timers timers) {
        this.connections = connections;
        this.timers = timers;
    }

    boolean isReachable(PushPartition partition) {
        return connections.isShardAvailable(connections.shardOf(partition.id()));
    }

    boolean isBackingOff(PushPartition partition) {
        return partition.access().isBackingOff(timers.nowNs());
    }

    /** Returns true if a bundle should not reserve other partitions while it waits for this one. */
    boolean isSlowToAcquire(PushPartition partition) {
        boolean isSlow = partition.isTaken() && timers.nowNs() - partition.access().takenNs() > SLOW_AFTER_NS;
        return isSlow || partition.access().isLocked() || isBackingOff(partition) || !isReachable(partition);
    }

    /** Returns true if the shards are reachable in which the same call acknowledges messages. */
    boolean areAcksReachable(PushBundle bundle) {
        return bundle.partitions().isEmpty()
                || bundle.acknowledged().stream().allMatch(id -> connections.isShardAvailable(connections.shardOf(id)));
    }

    /** Returns why a bundle could not acquire the partition in time. */
    String reason(PushBundle bundle, PushPartition partition) {
        if (!areAcksReachable(bundle)) {
            return "the shard of an acknowledged message cannot be reached";
        }
        if (!isReachable(partition)) {
            return "its shard cannot be reached";
        }
        return partition.access().isLocked() || isBackingOff(partition)
                ? "it is locked by another transaction of the database"
                : "earlier calls to it take too long";
    }
}
