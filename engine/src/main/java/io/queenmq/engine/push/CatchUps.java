package io.queenmq.engine.push;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.push.PushRoutines.CatchUpAnswer;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import java.util.List;

/**
 * Creates partitions that do not exist, and loads into their windows the transactionIds that other servers stored. Owned by the
 * engine loop.
 */
final class CatchUps {
    /** The result of catching up with a partition. */
    enum Finding {
        /** Something was new: a call that was rejected before may succeed now. */
        MOVED,
        /** Nothing was new: a call that was rejected before met a lock. */
        SAME,
        /** The partition cannot be created yet: its queue is being deleted, created or restored by an open transaction. */
        BUSY,
        /** The queue of the partition does not exist any more. */
        MISSING
    }

    private final PushRoutines routines;
    private final ShardBatches<CatchUp, CatchUpAnswer> catchUps;

    CatchUps(EngineContext context, PushRoutines routines) {
        this.routines = routines;
        this.catchUps = new ShardBatches<>(context, Operation.CATCH_UP, Durability.FLUSHED,
                each -> context.connections().shardOf(each.partition.id()), new CatchUpCarrier());
    }

    /**
     * Catches up with a partition. The caller has taken it.
     *
     * @param sinceNs when the oldest request arrived that waits for the partition
     */
    void catchUp(PushPartition partition, long sinceNs, Reply<Finding> reply) {
        catchUp(partition, false, false, sinceNs, reply);
    }

    /** Like {@link #catchUp}, but fails as soon as the shard of the partition cannot be reached. */
    void catchUpIfReachable(PushPartition partition, long sinceNs, Reply<Finding> reply) {
        catchUp(partition, false, true, sinceNs, reply);
    }

    /**
     * @param needsOnlyHead true if the window need not be loaded
     * @param failsWhenUnreachable true if it fails as soon as the shard of the partition cannot be reached
     */
    void catchUp(PushPartition partition, boolean needsOnlyHead, boolean failsWhenUnreachable, long sinceNs,
            Reply<Finding> reply) {
        catchUps.offer(new CatchUp(partition, partition.window().known(), needsOnlyHead, failsWhenUnreachable, reply),
                sinceNs);
    }

    private record CatchUp(PushPartition partition, long knownBefore, boolean needsOnlyHead,
            boolean failsWhenUnreachable, Reply<Finding> reply) {}

    private final class CatchUpCarrier implements Carrier<CatchUp, CatchUpAnswer> {
        @Override
        public Future<List<CatchUpAnswer>> carry(Connection connection, List<CatchUp> batch) {
            return routines.catchUp(connection, batch.stream().map(CatchUp::partition).toList(),
                    batch.stream().map(CatchUp::needsOnlyHead).toList());
        }

        @Override
        public boolean failsWhenUnreachable(CatchUp each) {
            return each.failsWhenUnreachable;
        }

        @Override
        public void settle(CatchUp each, CatchUpAnswer answer) {
            each.partition.caughtUp(answer);
            each.reply.succeed(switch (answer) {
                case CatchUpAnswer.Missing() -> Finding.MISSING;
                case CatchUpAnswer.Busy() -> Finding.BUSY;
                case CatchUpAnswer.Found _ ->
                    each.partition.window().known() == each.knownBefore ? Finding.SAME : Finding.MOVED;
            });
        }

        @Override
        public void refuse(CatchUp each, Failure failure) {
            each.reply.fail(failure);
        }
    }
}
