package io.queenmq.engine.push;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;

/**
 * Brings partitions into being and teaches their windows the transactionIds other servers stored. Owned by the engine loop.
 */
public final class CatchUps {
    /** What was found out about a partition. */
    public enum Finding {
        /** Something was new: a push that was refused before may go through now. */
        MOVED,
        /** Nothing was new: a push that was refused before met a lock. */
        SAME,
        /** The partition's queue is just being deleted: soon it will be missing, or it will not. */
        BUSY,
        /** The partition's queue does not exist any more. */
        MISSING
    }

    private final PushRoutines routines;
    private final ShardBatches<CatchUp, Void> catchUps;

    CatchUps(EngineContext context, PushRoutines routines) {
        this.routines = routines;
        this.catchUps = new ShardBatches<>(context, Operation.CATCH_UP, Durability.FLUSHED,
                each -> context.connections().shardOf(each.partition.id()), new CatchUpCarrier());
    }

    /**
     * The caller has taken the partition.
     *
     * @param sinceNs when the oldest request came that waits for it
     */
    public void catchUp(PushPartition partition, long sinceNs, Reply<Finding> reply) {
        catchUp(partition, false, false, sinceNs, reply);
    }

    /** Like {@link #catchUp}, but fails as soon as the shard of the partition cannot be reached. */
    void catchUpIfReachable(PushPartition partition, long sinceNs, Reply<Finding> reply) {
        catchUp(partition, false, true, sinceNs, reply);
    }

    /**
     * @param needsOnlyHead whether the window need not be loaded
     * @param hasRefuge whether those who wait have another place to go to while PostgreSQL is away
     */
    void catchUp(PushPartition partition, boolean needsOnlyHead, boolean hasRefuge, long sinceNs,
            Reply<Finding> reply) {
        catchUps.offer(new CatchUp(partition, partition.window().known(), needsOnlyHead, hasRefuge, reply), sinceNs);
    }

    private record CatchUp(PushPartition partition, long knownBefore, boolean needsOnlyHead, boolean hasRefuge,
            Reply<Finding> reply) {}

    private final class CatchUpCarrier implements Carrier<CatchUp, Void> {
        @Override
        public Future<List<Void>> carry(Connection connection, List<CatchUp> batch) {
            return routines.catchUp(connection, batch.stream().map(CatchUp::partition).toList(),
                    batch.stream().map(CatchUp::needsOnlyHead).toList())
                    .map(Collections.nCopies(batch.size(), null));
        }

        @Override
        public boolean hasRefuge(CatchUp each) {
            return each.hasRefuge;
        }

        @Override
        public void settle(CatchUp each, Void learned) {
            each.reply.succeed(findingOf(each));
        }

        private Finding findingOf(CatchUp each) {
            return switch (each.partition.presence()) {
                case MISSING -> Finding.MISSING;
                case BUSY -> Finding.BUSY;
                case FOUND -> each.partition.window().known() == each.knownBefore ? Finding.SAME : Finding.MOVED;
            };
        }

        @Override
        public void refuse(CatchUp each, Failure failure) {
            each.reply.fail(failure);
        }
    }
}
