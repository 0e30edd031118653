package io.queenmq.engine.pop;

import io.queenmq.engine.batch.Carrier;
import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.batch.Operation;
import io.queenmq.engine.batch.ShardBatches;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases leases whose messages did not reach a consumer, and lease ids of calls whose outcome is unknown. A release is
 * repeated until PostgreSQL has executed it, so that the partition does not stay leased and no attempt is charged. Owned by the
 * engine loop.
 */
public final class LeaseReleases {
    private static final Logger log = LoggerFactory.getLogger(LeaseReleases.class);

    /** The most releases that wait for one shard; the oldest are dropped beyond that, and their leases expire. */
    static final int PENDING_MAX = 20_000;
    private static final long RETRY_EVERY_NS = 50_000_000;

    private final PopRoutines routines;
    private final Backlogs backlogs;
    private final Leases leases;
    private final Arrivals arrivals;
    private final ShardConnections connections;
    private final Timers timers;
    private final ShardBatches<Release, Boolean> calls;
    /** Releases that wait until their shard is available, by shard. */
    private final List<ArrayDeque<Release>> pending = new ArrayList<>();
    /** The number of releases that were not executed yet, by cursor. */
    private final Map<Cursor, Integer> open = new HashMap<>();
    private boolean isRetrying;
    private boolean isOverflowing;

    LeaseReleases(EngineContext context, PopRoutines routines, Backlogs backlogs, Leases leases, Arrivals arrivals) {
        this.routines = routines;
        this.backlogs = backlogs;
        this.leases = leases;
        this.arrivals = arrivals;
        this.connections = context.connections();
        this.timers = context.timers();
        this.calls = new ShardBatches<>(context, Operation.RELEASE, Durability.RELAXED, this::shardOf,
                new ReleaseCarrier());
        for (int shard = 0; shard < context.connections().shards().count(); shard++) {
            pending.add(new ArrayDeque<>());
        }
    }

    /** Releases the leases of a round of an earlier history of the database. After a mere restart they still exist. */
    void releaseAll(LeaseRound round) {
        Pop pop = round.pop();
        if (!pop.command().autoAck()) {
            release(round.leaseId(), pop.command().group(), round.tries().stream()
                    .filter(each -> each.status() == LeaseStatus.LEASED).map(each -> each.partition().id()).toList());
        }
        releaseAll(pop);
    }

    /** Releases everything that a pop was granted. Its messages did not reach the consumer. */
    void releaseAll(Pop pop) {
        if (!pop.command().autoAck() && !pop.grants().isEmpty()) {
            pop.grants().forEach(grant -> grant.partition().delivered(pop.leaseId()));
            release(pop.leaseId(), pop.command().group(),
                    pop.grants().stream().map(grant -> grant.partition().id()).toList());
        }
        pop.grants().clear();
    }

    /** Releases a lease that the server acquired and whose messages did not reach their consumer. */
    public void release(UUID leaseId, String group, List<UUID> partitionIds) {
        for (UUID partitionId : partitionIds) {
            leases.remove(leaseId, partitionId);
            add(new Release(leaseId, new Cursor(partitionId, group), backlogs.find(partitionId, group), null));
        }
    }

    /** Releases a lease id under which a call with an unknown outcome may have leased the partition. */
    void releaseUnknown(UUID leaseId, GroupPartition partition) {
        releaseUnknown(leaseId, partition, null);
    }

    /** @param onTried called once, when the release was executed or could not be */
    void releaseUnknown(UUID leaseId, GroupPartition partition, @Nullable Runnable onTried) {
        add(new Release(leaseId, new Cursor(partition.id(), partition.backlog().group()), partition, onTried));
    }

    /**
     * Returns true if the cursor may have a lease that is still to be released. The expiry of such a lease must not be charged.
     */
    boolean isPending(GroupPartition partition) {
        return !open.isEmpty() && open.containsKey(new Cursor(partition.id(), partition.backlog().group()));
    }

    /** Returns the number of releases that PostgreSQL has not executed yet. */
    public int count() {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void add(Release release) {
        open.merge(release.cursor, 1, Integer::sum);
        if (isAvailable(shardOf(release))) {
            calls.offer(release);
        } else {
            postpone(release);
        }
    }

    private int shardOf(Release release) {
        return connections.shardOf(release.cursor.partitionId);
    }

    /** A lost lease call that may still be executed must not be executed after the release. */
    private boolean isAvailable(int shard) {
        ConnectionPool pool = connections.of(shard, Durability.RELAXED);
        return pool.isConnected() && pool.isSettled();
    }

    private void postpone(Release release) {
        release.tried();
        ArrayDeque<Release> waiting = pending.get(shardOf(release));
        if (waiting.size() >= PENDING_MAX) {
            close(waiting.poll());
            if (!isOverflowing) {
                log.warn("more than {} leases wait to be released, the oldest will expire", PENDING_MAX);
            }
            isOverflowing = true;
        }
        waiting.add(release);
        retryLater();
    }

    private void retryLater() {
        if (!isRetrying) {
            isRetrying = true;
            timers.after(RETRY_EVERY_NS, this::retry);
        }
    }

    private void retry() {
        isRetrying = false;
        for (int shard = 0; shard < pending.size(); shard++) {
            ArrayDeque<Release> waiting = pending.get(shard);
            if (isAvailable(shard)) {
                for (int left = waiting.size(); left > 0; left--) {
                    calls.offer(waiting.poll());
                }
            }
            if (!waiting.isEmpty()) {
                retryLater();
            }
        }
        isOverflowing &= isRetrying;
    }

    private void close(Release release) {
        open.computeIfPresent(release.cursor, (_, count) -> count == 1 ? null : count - 1);
    }

    private final class ReleaseCarrier implements Carrier<Release, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Connection connection, List<Release> batch) {
            return routines.release(connection, batch);
        }

        @Override
        public boolean isBusy(Release release, Boolean isBusy) {
            return isBusy;
        }

        @Override
        public void settle(Release release, Boolean isBusy) {
            close(release);
            if (release.partition != null) {
                release.partition.backlog().numbers().touched(release.cursor.partitionId);
            }
            release.tried();
            arrivals.released(release.partition == null ? null : release.partition.backlog().queueName(),
                    release.cursor.partitionId, release.cursor.group, -1);
        }

        @Override
        public void refuse(Release release, Failure failure) {
            postpone(release);
        }
    }

    /** A lease id to be released in one partition. */
    static final class Release {
        private final UUID leaseId;
        private final Cursor cursor;
        private final @Nullable GroupPartition partition;
        private @Nullable Runnable onTried;

        private Release(UUID leaseId, Cursor cursor, @Nullable GroupPartition partition, @Nullable Runnable onTried) {
            this.leaseId = leaseId;
            this.cursor = cursor;
            this.partition = partition;
            this.onTried = onTried;
        }

        UUID leaseId() {
            return leaseId;
        }

        UUID partitionId() {
            return cursor.partitionId;
        }

        String group() {
            return cursor.group;
        }

        private void tried() {
            Runnable once = onTried;
            onTried = null;
            if (once != null) {
                once.run();
            }
        }
    }

    private record Cursor(UUID partitionId, String group) {}
}
