package io.queenmq.engine.pop;

import io.queenmq.engine.catalog.Revision;
import java.util.List;

/**
 * Drops what is believed about partitions when something else than a message changes them: operators, queues, shards that
 * were away, another history of the database. Waiting pops keep waiting, and the database is asked again for them. Owned by
 * the engine loop.
 */
final class Invalidation {
    private final Backlogs backlogs;
    private final Subscriptions subscriptions;
    private final Readiness readiness;
    private final Sweeps sweeps;
    private final Watch watch;

    Invalidation(Backlogs backlogs, Subscriptions subscriptions, Readiness readiness, Sweeps sweeps, Watch watch) {
        this.backlogs = backlogs;
        this.subscriptions = subscriptions;
        this.readiness = readiness;
        this.sweeps = sweeps;
        this.watch = watch;
    }

    /** The database has another history: nothing that is known of subscriptions and partitions can be relied on. */
    void startOver() {
        subscriptions.startOver();
        partitionsMissed();
    }

    /** What was passed over while the shard could not be reached is seen to. */
    void shardBack(int shard) {
        for (Backlog backlog : backlogs.all()) {
            if (backlog.hasWaiters()) {
                sweeps.refresh(backlog);
                readiness.wakeAllFor(backlog, shard);
            }
        }
    }

    void queueChanged(String name) {
        readiness.queueChanged(name);
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(name))) {
            if (backlog.hasWaiters()) {
                sweeps.refresh(backlog);
                watch.over(backlog.waiters());
            }
        }
    }

    /** Drops the cached state that a change by an operator invalidates. */
    void revised(Revision revision) {
        switch (revision) {
            case Revision.SubscriptionsRevised() -> subscriptions.forgetAll();
            case Revision.PartitionRevised(var queue, var partition) -> readiness.partitionRevised(queue, partition);
            case Revision.PartitionsMissed() -> partitionsMissed();
        }
    }

    private void partitionsMissed() {
        for (Backlog backlog : backlogs.all()) {
            readiness.forgetPartitions(backlog);
            if (backlog.hasWaiters()) {
                sweeps.refresh(backlog);
            }
        }
    }
}
