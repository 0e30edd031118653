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
import org.jspecify.annotations.Nullable;

/**
 * Polls PostgreSQL for messages of waiting pops, because hints of peers may be lost. At most one poll per shard is in flight
 * for the pops that wait for the same messages. Polls that find nothing become less frequent. Owned by the engine loop.
 */
public final class PendingPoller {
    private static final int LEASED_PER_POLL = 50;
    /** Polls that are due within one tick share a call: a hundred busy queues cost fifty calls a second, not a thousand. */
    private static final long TICK_NS = 20_000_000;

    private final PopRoutines routines;
    private final BacklogLoader loader;
    private final Timers timers;
    private final ReadyPartitions ready;
    private final ShardConnections connections;
    private final ShardBatches<Poll, Boolean> polls;
    private int polled;
    private long hits;
    private long misses;

    PendingPoller(EngineContext context, PopRoutines routines, BacklogLoader loader, ReadyPartitions ready) {
        this.routines = routines;
        this.loader = loader;
        this.timers = context.timers();
        this.ready = ready;
        this.connections = context.connections();
        this.polls = new ShardBatches<>(context, Operation.HAS_PENDING, Durability.RELAXED, Poll::shard,
                new PollCarrier());
    }

    /** Polls for these pops as long as any of them waits. */
    void start(Waiters waiters) {
        if (!waiters.isPolled()) {
            waiters.setPolled(true);
            polled++;
            pollLater(waiters);
        }
    }

    /** Returns the number of groups of pops that are polled for. */
    public int count() {
        return polled;
    }

    public long hits() {
        return hits;
    }

    public long misses() {
        return misses;
    }

    private void pollLater(Waiters waiters) {
        if (waiters.isPollDue()) {
            return;
        }
        waiters.setPollDue(true);
        long intervalNs = waiters.backoff().intervalNs();
        timers.after(intervalNs + TICK_NS - Math.floorMod(timers.nowNs() + intervalNs, TICK_NS), () -> {
            waiters.setPollDue(false);
            if (waiters.isEmpty()) {
                waiters.setPolled(false);
                polled--;
                waiters.backlog().removeWaiters(waiters);
            } else if (!waiters.backlog().isOpen()) {
                // A change of the catalog wakes the pops when the queue is created.
                pollLater(waiters);
            } else {
                poll(waiters);
            }
        });
    }

    private void poll(Waiters waiters) {
        Backlog backlog = waiters.backlog();
        Queue queue = backlog.existingQueue();
        long nowNs = timers.nowNs();
        List<Poll> round = new ArrayList<>(1);
        if (waiters.partition() == null) {
            for (int shard = 0; shard < connections.shards().count(); shard++) {
                round.add(new Poll(waiters, queue.id(), null, shard, loader.lookBackS(backlog.view(shard), nowNs),
                        nowNs, null));
            }
            round.removeIf(poll -> !connections.isShardAvailable(poll.shard));
        } else {
            UUID partitionId = queue.partitionId(waiters.partition());
            round.add(new Poll(waiters, queue.id(), partitionId, connections.shardOf(partitionId), 0, nowNs, null));
        }
        // A slow shard must not delay the polls of the others.
        round.removeIf(poll -> waiters.isPolling(poll.shard));
        round.forEach(poll -> waiters.setPolling(poll.shard, true));
        round.forEach(polls::offer);
        if (round.isEmpty()) {
            pollLater(waiters);
        }
        if (waiters.partition() == null) {
            pollLeased(backlog);
        }
    }

    /**
     * Polls partitions that are leased by the cached state. Their messages may be too old for a scan of recent pushes, and their
     * leases may have ended on another server. Polls some at a time, other ones with every call.
     */
    void pollLeased(Backlog backlog) {
        for (GroupPartition partition : backlog.nextLeased(LEASED_PER_POLL)) {
            if (connections.isShardAvailable(partition.shard())) {
                polls.offer(new Poll(backlog.waiters(), backlog.existingQueue().id(), partition.id(), partition.shard(),
                        0, timers.nowNs(), partition));
            }
        }
    }

    private void onPolled(Poll poll, boolean isHit) {
        if (poll.leased != null) {
            if (isHit && poll.leased.isLeased()) {
                ready.found(poll.waiters.backlog(), poll.leased.name());
            }
            return;
        }
        Waiters waiters = poll.waiters;
        Backlog backlog = waiters.backlog();
        if (isHit) {
            hits++;
        } else {
            misses++;
        }
        // An arrival resets the backoff. A hit without one, such as a delayed message, does not.
        if (!waiters.isPollDue()) {
            waiters.setBackoff(waiters.backoff().afterEmptyPoll());
        }
        if (isHit && waiters.partition() != null) {
            ready.found(backlog, waiters.partition());
        } else if (isHit && backlog.isOpen()) {
            loader.scan(backlog, poll.shard);
        } else if (waiters.partition() == null) {
            backlog.view(poll.shard).lookedUp(poll.startedNs, BacklogLoader.isLongScan(poll.lookBackS));
        }
        onAnswer(poll);
    }

    private void onAnswer(Poll poll) {
        poll.waiters.setPolling(poll.shard, false);
        if (poll.waiters.isPolled()) {
            pollLater(poll.waiters);
        }
    }

    /**
     * A poll of PostgreSQL.
     *
     * @param partitionId null for any partition of the queue in the shard
     * @param leased the partition whose lease may have ended; null for other polls
     */
    record Poll(Waiters waiters, UUID queueId, @Nullable UUID partitionId, int shard, int lookBackS, long startedNs,
            @Nullable GroupPartition leased) {}

    private final class PollCarrier implements Carrier<Poll, Boolean> {
        @Override
        public Future<List<Boolean>> carry(Connection connection, List<Poll> batch) {
            return routines.hasPending(connection, batch);
        }

        @Override
        public void settle(Poll poll, Boolean isHit) {
            onPolled(poll, isHit);
        }

        @Override
        public void refuse(Poll poll, Failure failure) {
            if (poll.leased == null) {
                onAnswer(poll);
            }
        }
    }
}
