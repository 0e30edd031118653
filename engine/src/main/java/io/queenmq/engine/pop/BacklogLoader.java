package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.pop.ShardView.Knowledge;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Loads from PostgreSQL which partitions have messages for a group: all partitions of a queue the first time, page by page, and
 * later those that were pushed to recently, maybe by another server. Owned by the engine loop.
 */
final class BacklogLoader {
    private static final int PAGE = 2_000;
    /** A partition's active_at may lag ten seconds behind its last push, and a push may take some time to commit. */
    private static final long SHORT_SCAN_S = 20;
    private static final long LONG_SCAN_S = 200;
    private static final long LONG_SCAN_EVERY_NS = 60_000_000_000L;
    private static final long LOAD_AGAIN_AFTER_NS = 3_600_000_000_000L;

    private final PopRoutines routines;
    private final Backlogs backlogs;
    private final Timers timers;
    private final RandomGenerator random;
    private final ReadyPartitions ready;
    private final WaitingPops waiting;
    private final PopEvents events;
    private final int shards;
    private final IntPredicate isShardAvailable;
    private final ShardBatches<Scan, List<PopRoutines.Resolved>> scans;

    BacklogLoader(EngineContext context, PopRoutines routines, Backlogs backlogs, RandomGenerator random,
            ReadyPartitions ready, WaitingPops waiting, PopEvents events) {
        this.routines = routines;
        this.backlogs = backlogs;
        this.timers = context.timers();
        this.random = random;
        this.ready = ready;
        this.waiting = waiting;
        this.events = events;
        this.shards = context.connections().shards().count();
        this.isShardAvailable = context.connections()::isShardAvailable;
        this.scans = new ShardBatches<>(context, Operation.RESOLVE, Durability.RELAXED, Scan::shard, new ScanCarrier());
    }

    /** Loads all partitions of the shards that were not loaded yet. */
    void loadMissing(Backlog backlog) {
        for (int shard = 0; shard < shards; shard++) {
            loadMissing(backlog, shard);
        }
    }

    private void loadMissing(Backlog backlog, int shard) {
        ShardView view = backlog.view(shard);
        Queue queue = backlog.queue();
        if (queue != null && view.knowledge() == Knowledge.NONE && isShardAvailable.test(shard)) {
            view.setKnowledge(Knowledge.LOADING);
            scans.offer(new Scan(backlog, backlog.era(), queue.id(), shard, null, "", timers.nowNs()));
        }
    }

    /** Scans every available shard again. Returns whether all of them had been loaded before. */
    boolean scan(Backlog backlog) {
        boolean isKnown = backlog.isOpen();
        for (int shard = 0; shard < shards; shard++) {
            if (isShardAvailable.test(shard)) {
                isKnown &= backlog.view(shard).knowledge() == Knowledge.COMPLETE;
                if (backlog.isOpen() && backlog.view(shard).knowledge() == Knowledge.COMPLETE) {
                    scan(backlog, shard);
                } else {
                    loadMissing(backlog, shard);
                }
            }
        }
        return isKnown;
    }

    /** Loads the partitions of a shard that were pushed to since the last scan. */
    void scan(Backlog backlog, int shard) {
        long nowNs = timers.nowNs();
        ShardView view = backlog.view(shard);
        if (nowNs - view.lookupAtNs() > LOAD_AGAIN_AFTER_NS) {
            view.setKnowledge(Knowledge.NONE);
            loadMissing(backlog, shard);
        } else if (!view.isScanning()) {
            view.setScanning(true);
            scans.offer(new Scan(backlog, backlog.era(), backlog.existingQueue().id(), shard, lookBackS(view, nowNs),
                    "", nowNs));
        }
    }

    /** Returns the number of seconds that a scan has to cover so that no push is missed. */
    int lookBackS(ShardView view, long nowNs) {
        if (nowNs - view.longLookupAtNs() > LONG_SCAN_EVERY_NS) {
            return (int) (LONG_SCAN_S + (nowNs - view.longLookupAtNs()) / 1_000_000_000);
        }
        return (int) (SHORT_SCAN_S + (nowNs - view.lookupAtNs()) / 1_000_000_000);
    }

    static boolean isLongScan(int lookBackS) {
        return lookBackS >= LONG_SCAN_S;
    }

    private void apply(Scan scan, List<PopRoutines.Resolved> page) {
        Backlog backlog = scan.backlog;
        if (backlog.era() != scan.era) {
            // The queue was deleted or revised meanwhile, and the waiting pops were planned again.
            return;
        }
        // Servers that load the same queue must not all begin with the same partition.
        List<PopRoutines.Resolved> shuffled = new ArrayList<>(page);
        Collections.shuffle(shuffled, random);
        boolean hasNews = false;
        for (PopRoutines.Resolved resolved : shuffled) {
            if (resolved.isPending()) {
                GroupPartition partition = backlogs.partition(backlog, resolved.name(), resolved.partitionId());
                hasNews |= partition != null && update(partition, resolved.untilMs());
            }
        }
        boolean isRecent = scan.lookBackS != null;
        if (isRecent && page.size() >= PAGE) {
            // The page is full, and the next scan would not cover the rest.
            backlog.view(scan.shard).invalidate();
            loadMissing(backlog, scan.shard);
            events.add(backlog);
        } else if (isRecent || page.isEmpty()) {
            finish(scan, hasNews);
        } else {
            scans.offer(
                    new Scan(backlog, scan.era, scan.queueId, scan.shard, null, page.getLast().name(), scan.startedNs));
            events.add(backlog);
        }
    }

    /** Returns true if the result was unknown to this server. */
    private boolean update(GroupPartition partition, @Nullable Long untilMs) {
        boolean isIdle = partition.state() == State.IDLE;
        // A lease may end without a hint to this server, even a lease of this server: acks go to any server.
        boolean isLeased = partition.rest() == GroupPartition.Rest.LEASED_BY_PEER
                || partition.rest() == GroupPartition.Rest.LEASED_HERE;
        if (untilMs == null && (isIdle || isLeased)) {
            ready.retry(partition);
            return true;
        }
        if (untilMs != null && isIdle) {
            ready.rest(partition, GroupPartition.Rest.LEASED_BY_PEER, untilMs);
            return true;
        }
        return false;
    }

    private void finish(Scan scan, boolean hasNews) {
        ShardView view = scan.backlog.view(scan.shard);
        view.scanned(scan.startedNs, hasNews);
        view.lookedUp(scan.startedNs, scan.lookBackS == null || isLongScan(scan.lookBackS));
        view.setScanning(false);
        view.setKnowledge(Knowledge.COMPLETE);
        shardDone(scan.backlog);
    }

    /** Pops that wait for the scan continue when every available shard is done, or when a partition is ready for them. */
    private void shardDone(Backlog backlog) {
        if (backlog.isBeingScanned()) {
            events.add(backlog);
        } else {
            waiting.scanned(backlog);
        }
    }

    /**
     * One page of a scan of the partitions in one shard.
     *
     * @param era of the backlog when the scan began
     * @param lookBackS null for all partitions
     */
    private record Scan(Backlog backlog, int era, UUID queueId, int shard, @Nullable Integer lookBackS,
            String afterName, long startedNs) {}

    private final class ScanCarrier implements Carrier<Scan, List<PopRoutines.Resolved>> {
        @Override
        public Future<List<List<PopRoutines.Resolved>>> carry(Connection connection, List<Scan> batch) {
            Scan scan = batch.getFirst();
            return routines
                    .resolve(connection, scan.queueId, scan.backlog.group(), scan.lookBackS, scan.afterName, PAGE)
                    .map(List::of);
        }

        @Override
        public void settle(Scan scan, List<PopRoutines.Resolved> page) {
            apply(scan, page);
        }

        @Override
        public void refuse(Scan scan, Failure failure) {
            if (scan.backlog.era() == scan.era) {
                scan.backlog.view(scan.shard).invalidate();
                shardDone(scan.backlog);
            }
        }
    }
}
