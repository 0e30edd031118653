package io.queenmq.engine.pop;

import io.queenmq.engine.catalog.Revision;
import io.queenmq.engine.queue.Queue;
import java.util.List;

/**
 * Drops cached state that is no longer valid, because operators, queues or the history of the database have changed, or a shard
 * was unavailable. Waiting pops keep waiting, and the state is loaded again for them. Owned by the engine loop.
 */
final class Invalidation {
    private final Backlogs backlogs;
    private final Subscriptions subscriptions;
    private final WaitingPops waiting;
    private final ReadyPartitions ready;
    private final BacklogLoader loader;
    private final PendingPoller poller;

    Invalidation(Backlogs backlogs, Subscriptions subscriptions, WaitingPops waiting, ReadyPartitions ready,
            BacklogLoader loader, PendingPoller poller) {
        this.backlogs = backlogs;
        this.subscriptions = subscriptions;
        this.waiting = waiting;
        this.ready = ready;
        this.loader = loader;
        this.poller = poller;
    }

    /** The database has another history: no cached subscription or partition is valid. */
    void reset() {
        subscriptions.reset();
        evictAll();
    }

    /** The shard is available again: its partitions are loaded and popped from. */
    void shardAvailable(int shard) {
        for (Backlog backlog : backlogs.all()) {
            if (backlog.hasWaiters()) {
                loader.loadMissing(backlog);
                ready.shardAvailable(backlog, shard);
            }
        }
    }

    /** An operator changed cursors or subscriptions. */
    void revised(Revision revision) {
        switch (revision) {
            case Revision.SubscriptionsRevised() -> subscriptions.invalidateAll();
            case Revision.PartitionRevised(var queue, var partition) -> partitionRevised(queue, partition);
            case Revision.PartitionsMissed() -> evictAll();
        }
    }

    /** A queue was created, changed or deleted. */
    void queueChanged(String name) {
        Queue queue = backlogs.queueOf(name);
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(name))) {
            if (backlog.setQueue(queue)) {
                evict(backlog);
            }
        }
        if (queue != null) {
            waiting.adopt(queue);
        } else {
            waiting.abandon(name);
        }
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(name))) {
            if (backlog.hasWaiters()) {
                loader.loadMissing(backlog);
                poller.start(backlog.waiters());
            }
        }
    }

    private void partitionRevised(String queueName, String name) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queueName))) {
            Queue queue = backlog.queue();
            GroupPartition partition = queue == null
                    ? null
                    : backlogs.partition(backlog, name, queue.partitionId(name));
            if (partition != null) {
                ready.revised(partition);
            }
        }
    }

    private void evictAll() {
        for (Backlog backlog : backlogs.all()) {
            evict(backlog);
            if (backlog.hasWaiters()) {
                loader.loadMissing(backlog);
            }
        }
    }

    /** Evicts the partitions of a backlog. Pops that wait for a scan of it, or name one of its partitions, are planned again. */
    private void evict(Backlog backlog) {
        backlogs.evictPartitions(backlog);
        waiting.wakeAll(backlog);
        if (backlog.queue() != null) {
            waiting.wakeNamed(backlog);
        }
    }
}
