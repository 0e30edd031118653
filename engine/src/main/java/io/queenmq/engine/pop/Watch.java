package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Looks now and then whether there is something for those who wait, in case nobody rang: another server may have pushed.
 * One look at a time for each group of waiters, less and less often while they are in vain. Owned by the engine loop.
 */
final class Watch {
    private static final int HELD_PER_LOOK = 50;
    /** Looks that are due within one tick go together: a hundred busy queues cost fifty calls a second, not a thousand. */
    private static final long TICK_NS = 20_000_000;

    private final PopRoutines routines;
    private final Sweeps sweeps;
    private final Timers timers;
    private final Finder finder;
    private final ShardConnections connections;
    private final ShardBatches<Look, Boolean> looks;
    private int watched;
    private long hits;
    private long misses;

    /** How the pop room takes note of a partition somebody waits for. */
    interface Finder {
        void found(Backlog backlog, String partition);
    }

    Watch(EngineContext context, PopRoutines routines, Sweeps sweeps, Finder finder) {
        this.routines = routines;
        this.sweeps = sweeps;
        this.timers = context.timers();
        this.finder = finder;
        this.connections = context.connections();
        this.looks = new ShardBatches<>(context, Operation.HAS_PENDING, Durability.RELAXED, Look::shard,
                new LookCarrier());
    }

    /** Watches for these waiters as long as there are any. */
    void over(Waiters waiters) {
        if (!waiters.isWatched()) {
            waiters.setWatched(true);
            watched++;
            lookLater(waiters);
        }
    }

    /** How many groups of waiters are watched for. */
    int count() {
        return watched;
    }

    long hits() {
        return hits;
    }

    long misses() {
        return misses;
    }

    private void lookLater(Waiters waiters) {
        if (waiters.isLookDue()) {
            return;
        }
        waiters.setLookDue(true);
        long intervalNs = waiters.backoff().intervalNs();
        timers.after(intervalNs + TICK_NS - Math.floorMod(timers.nowNs() + intervalNs, TICK_NS), () -> {
            waiters.setLookDue(false);
            if (waiters.isEmpty()) {
                waiters.setWatched(false);
                watched--;
                waiters.backlog().forgetWaiters(waiters);
            } else if (!waiters.backlog().isOpen()) {
                // The catalog will say when the queue comes into being.
                lookLater(waiters);
            } else {
                look(waiters);
            }
        });
    }

    private void look(Waiters waiters) {
        Backlog backlog = waiters.backlog();
        Queue queue = backlog.queue();
        long nowNs = timers.nowNs();
        List<Look> round = new ArrayList<>(1);
        if (waiters.partition() == null) {
            for (int shard = 0; shard < connections.shards().count(); shard++) {
                round.add(
                        new Look(waiters, queue.id(), null, shard, sweeps.lookBackS(backlog.view(shard), nowNs), nowNs,
                                null));
            }
            round.removeIf(look -> !connections.isWorthAsking(look.shard));
        } else {
            UUID partitionId = queue.partitionId(waiters.partition());
            round.add(new Look(waiters, queue.id(), partitionId, connections.shardOf(partitionId), 0, nowNs, null));
        }
        // A shard that is slow to answer keeps nobody from looking at the others.
        round.removeIf(look -> waiters.isAsking(look.shard));
        round.forEach(look -> waiters.setAsking(look.shard, true));
        round.forEach(looks::offer);
        if (round.isEmpty()) {
            lookLater(waiters);
        }
        if (waiters.partition() == null) {
            lookAtHeld(backlog);
        }
    }

    /**
     * Looks at partitions that are believed to be held. Their messages may be old, so that a look at what was pushed lately does
     * not show them, and their leases may have ended on another server. Some at a time; those not seen now are next.
     */
    void lookAtHeld(Backlog backlog) {
        for (GroupPartition partition : backlog.nextHeld(HELD_PER_LOOK)) {
            if (connections.isWorthAsking(partition.shard())) {
                looks.offer(new Look(backlog.waiters(), backlog.queue().id(), partition.id(), partition.shard(), 0,
                        timers.nowNs(), partition));
            }
        }
    }

    private void onLooked(Look look, boolean isHit) {
        if (look.held != null) {
            if (isHit && look.held.isHeld()) {
                finder.found(look.waiters.backlog(), look.held.name());
            }
            return;
        }
        Waiters waiters = look.waiters;
        Backlog backlog = waiters.backlog();
        if (isHit) {
            hits++;
        } else {
            misses++;
        }
        // Ringing resets the backoff; a hit that brings nobody forward, such as a delayed message, does not.
        if (!waiters.isLookDue()) {
            waiters.setBackoff(waiters.backoff().inVain());
        }
        if (isHit && waiters.partition() != null) {
            finder.found(backlog, waiters.partition());
        } else if (isHit && backlog.isOpen()) {
            sweeps.look(backlog, look.shard);
        } else if (waiters.partition() == null) {
            backlog.view(look.shard).looked(look.startedNs, Sweeps.isFar(look.lookBackS));
        }
        onAnswer(look);
    }

    private void onAnswer(Look look) {
        look.waiters.setAsking(look.shard, false);
        if (look.waiters.isWatched()) {
            lookLater(look.waiters);
        }
    }

    /**
     * A question whether there is something to read.
     *
     * @param partitionId null for any partition of the queue in the shard
     * @param held the partition, when the question is whether one that is believed to be held is free; null otherwise
     */
    record Look(Waiters waiters, UUID queueId, UUID partitionId, int shard, int lookBackS, long startedNs,
            GroupPartition held) {}

    private final class LookCarrier implements Carrier<Look, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Connection connection, List<Look> batch) {
            return routines.hasPending(connection, batch);
        }

        @Override
        public void settle(Look look, Boolean isHit) {
            onLooked(look, isHit);
        }

        @Override
        public void refuse(Look look, Failure failure) {
            if (look.held == null) {
                onAnswer(look);
            }
        }
    }
}
