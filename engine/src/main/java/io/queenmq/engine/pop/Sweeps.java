package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.pop.GroupPartition.Belief;
import io.queenmq.engine.pop.ShardView.Knowledge;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Asks the database which partitions have something to read: all partitions of a queue the first time, and later only those that
 * were pushed to lately, which may have been by another server. Owned by the engine loop.
 */
final class Sweeps {
    private static final int PAGE = 2_000;
    /** A partition's active_at may lag ten seconds behind its last push, and a push may take a while to commit. */
    private static final long LOOK_BACK_S = 20;
    private static final long LOOK_FAR_BACK_S = 200;
    private static final long LOOK_FAR_EVERY_NS = 60_000_000_000L;
    private static final long SWEEP_AGAIN_AFTER_NS = 3_600_000_000_000L;
    private static final int IN_VAIN_MIN = 3;
    /** Well within the time a look reaches back, so that a partition another server holds does not stay unknown. */
    private static final long IN_VAIN_FOR_NS = 5_000_000_000L;

    /** How the pop room takes note of what was found. */
    interface Finder {
        void ready(GroupPartition partition);

        void resting(GroupPartition partition, long untilMs);

        /** More is to come, but those who wait for the end of it may go on with what there is. */
        void paged(Backlog backlog);

        void done(Backlog backlog);
    }

    private final PopRoutines routines;
    private final Backlogs backlogs;
    private final Timers timers;
    private final RandomGenerator random;
    private final Finder finder;
    private final int shards;
    private final IntPredicate isWorthAsking;
    private final ShardBatches<Sweep, List<PopRoutines.Resolved>> sweeps;

    Sweeps(EngineContext context, PopRoutines routines, Backlogs backlogs, RandomGenerator random, Finder finder) {
        this.routines = routines;
        this.backlogs = backlogs;
        this.timers = context.timers();
        this.random = random;
        this.finder = finder;
        this.shards = context.connections().shards().count();
        this.isWorthAsking = context.connections()::isWorthAsking;
        this.sweeps = new ShardBatches<>(context, Operation.RESOLVE, Durability.RELAXED, Sweep::shard,
                new SweepCarrier());
    }

    /** Looks at every partition, where that was not done yet. */
    void refresh(Backlog backlog) {
        for (int shard = 0; shard < shards; shard++) {
            refresh(backlog, shard);
        }
    }

    private void refresh(Backlog backlog, int shard) {
        ShardView view = backlog.view(shard);
        if (backlog.queue() != null && view.knowledge() == Knowledge.NONE && isWorthAsking.test(shard)) {
            view.setKnowledge(Knowledge.SWEEPING);
            sweeps.offer(new Sweep(backlog, backlog.era(), backlog.queue().id(), shard, null, "", timers.nowNs()));
        }
    }

    /** Asks the database again, though all may be known; true when it was. */
    boolean lookAfresh(Backlog backlog) {
        boolean isKnown = backlog.isOpen();
        for (int shard = 0; shard < shards; shard++) {
            if (isWorthAsking.test(shard)) {
                isKnown &= backlog.view(shard).knowledge() == Knowledge.COMPLETE;
                if (backlog.isOpen() && backlog.view(shard).knowledge() == Knowledge.COMPLETE) {
                    look(backlog, shard);
                } else {
                    refresh(backlog, shard);
                }
            }
        }
        return isKnown;
    }

    /**
     * Whether a pop that may wait need not look first. It need not where the last looks showed nothing that this server did
     * not know, which is so while it stores the queue's messages itself. In case that changes, who waits is watched for.
     */
    boolean isInVain(Backlog backlog) {
        for (int shard = 0; shard < shards; shard++) {
            ShardView view = backlog.view(shard);
            if (isWorthAsking.test(shard) && (view.looksInVain() < IN_VAIN_MIN
                    || view.knowledge() != Knowledge.COMPLETE || timers.nowNs() - view.sweptAtNs() >= IN_VAIN_FOR_NS)) {
                return false;
            }
        }
        return true;
    }

    /** Looks at the partitions of a shard that were pushed to since the last look; the finder is told when that is over. */
    void look(Backlog backlog, int shard) {
        long nowNs = timers.nowNs();
        ShardView view = backlog.view(shard);
        if (nowNs - view.lookedAtNs() > SWEEP_AGAIN_AFTER_NS) {
            view.setKnowledge(Knowledge.NONE);
            refresh(backlog, shard);
        } else if (!view.isLooking()) {
            view.setLooking(true);
            sweeps.offer(new Sweep(backlog, backlog.era(), backlog.queue().id(), shard, lookBackS(view, nowNs), "",
                    nowNs));
        }
    }

    /** How many seconds back a look has to reach so that nothing is missed. */
    int lookBackS(ShardView view, long nowNs) {
        if (nowNs - view.lookedFarAtNs() > LOOK_FAR_EVERY_NS) {
            return (int) (LOOK_FAR_BACK_S + (nowNs - view.lookedFarAtNs()) / 1_000_000_000);
        }
        return (int) (LOOK_BACK_S + (nowNs - view.lookedAtNs()) / 1_000_000_000);
    }

    static boolean isFar(int lookBackS) {
        return lookBackS >= LOOK_FAR_BACK_S;
    }

    private void take(Sweep sweep, List<PopRoutines.Resolved> page) {
        Backlog backlog = sweep.backlog;
        if (backlog.era() != sweep.era) {
            // The queue was deleted or revised meanwhile: whoever waits asks again.
            return;
        }
        // Servers that sweep the same queue should not all begin with the same partition.
        List<PopRoutines.Resolved> shuffled = new ArrayList<>(page);
        Collections.shuffle(shuffled, random);
        boolean isNews = false;
        for (PopRoutines.Resolved resolved : shuffled) {
            if (resolved.isPending()) {
                GroupPartition partition = backlogs.partition(backlog, resolved.name(), resolved.partitionId());
                isNews |= partition != null && learn(partition, resolved.untilMs());
            }
        }
        boolean isLook = sweep.lookBackS != null;
        if (isLook && page.size() >= PAGE) {
            // There is more than one look shows, and what is not seen soon would be too old for the next one.
            backlog.view(sweep.shard).forget();
            refresh(backlog, sweep.shard);
            finder.paged(backlog);
        } else if (isLook || page.isEmpty()) {
            finish(sweep, isNews);
        } else {
            sweeps.offer(new Sweep(backlog, sweep.era, sweep.queueId, sweep.shard, null, page.getLast().name(),
                    sweep.startedNs));
            finder.paged(backlog);
        }
    }

    /** True when it was not known. */
    private boolean learn(GroupPartition partition, Long untilMs) {
        boolean isIdle = partition.belief() == Belief.IDLE;
        // A lease may end where this server does not hear of it, also one that it gave itself: acks go to any server.
        boolean isHeld = partition.rest() == GroupPartition.Rest.HELD_ELSEWHERE
                || partition.rest() == GroupPartition.Rest.HELD_HERE;
        if (untilMs == null && (isIdle || isHeld)) {
            finder.ready(partition);
            return true;
        }
        if (untilMs != null && isIdle) {
            finder.resting(partition, untilMs);
            return true;
        }
        return false;
    }

    private void finish(Sweep sweep, boolean isNews) {
        ShardView view = sweep.backlog.view(sweep.shard);
        view.swept(sweep.startedNs, isNews);
        view.looked(sweep.startedNs, sweep.lookBackS == null || isFar(sweep.lookBackS));
        view.setLooking(false);
        view.setKnowledge(Knowledge.COMPLETE);
        tell(sweep.backlog);
    }

    /** One shard is done; those who wait for the end of it go on when all are that can be reached. */
    private void tell(Backlog backlog) {
        if (backlog.isBeingLookedAt()) {
            finder.paged(backlog);
        } else {
            finder.done(backlog);
        }
    }

    /**
     * One page of a look at a queue's partitions in one shard.
     *
     * @param era of the backlog when the look began
     * @param lookBackS null for all partitions
     */
    private record Sweep(Backlog backlog, int era, UUID queueId, int shard, Integer lookBackS, String afterName,
            long startedNs) {}

    private final class SweepCarrier implements Carrier<Sweep, List<PopRoutines.Resolved>> {
        @Override
        public Future<List<List<PopRoutines.Resolved>>> carry(Connection connection, List<Sweep> batch) {
            Sweep sweep = batch.getFirst();
            return routines
                    .resolve(connection, sweep.queueId, sweep.backlog.group(), sweep.lookBackS, sweep.afterName, PAGE)
                    .map(List::of);
        }

        @Override
        public void settle(Sweep sweep, List<PopRoutines.Resolved> page) {
            take(sweep, page);
        }

        @Override
        public void refuse(Sweep sweep, Failure failure) {
            if (sweep.backlog.era() == sweep.era) {
                sweep.backlog.view(sweep.shard).forget();
                tell(sweep.backlog);
            }
        }
    }
}
