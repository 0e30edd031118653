package io.queenmq.engine.pop;

import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.partition.SegmentCache;
import io.queenmq.engine.pop.GroupPartition.Belief;
import io.queenmq.engine.pop.GroupPartition.Rest;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Keeps the beliefs about partitions up to date and wakes those who wait for them. Everything that may make a partition readable
 * comes together here: pushes, the end of leases, due times, what other servers did, queues that come and go.
 * Owned by the engine loop.
 */
final class Readiness implements Arrivals, Sweeps.Finder, Watch.Finder {
    /** A cursor somebody is working on at this very moment is free again soon. */
    private static final long BUSY_MOMENT_MS = 5;

    /** What is done with pops that have reason to go on. */
    interface Runner {
        void start(Pop pop);

        void resolve(Pop pop);

        void empty(Pop pop);
    }

    private final Backlogs backlogs;
    private final Parking parking;
    private final Leases leases;
    private final SegmentCache cache;
    private final Timers timers;
    private final Runner runner;

    Readiness(Backlogs backlogs, Parking parking, Leases leases, SegmentCache cache, Timers timers, Runner runner) {
        this.cache = cache;
        this.backlogs = backlogs;
        this.parking = parking;
        this.leases = leases;
        this.timers = timers;
        this.runner = runner;
    }

    @Override
    public boolean pushed(Queue queue, String name, UUID partitionId, long head) {
        boolean isRead = false;
        for (Backlog backlog : backlogs.ofQueue(queue.name())) {
            if (backlog.queue() != null && backlog.queue().id().equals(queue.id())) {
                isRead = true;
                GroupPartition partition = backlogs.partition(backlog, name, partitionId);
                if (partition != null) {
                    partition.heardOfHead(head);
                    partition.ring();
                    if (partition.belief() == Belief.IDLE) {
                        makeReady(partition);
                    }
                }
            }
        }
        return isRead;
    }

    @Override
    public boolean released(String queue, UUID partitionId, String group, long committed) {
        GroupPartition partition = backlogs.find(partitionId, group);
        if (partition == null) {
            return true;
        }
        if (backlogs.ofQueue(partition.backlog().queueName()).size() == 1) {
            cache.removeBefore(partitionId, committed);
        }
        boolean isMore = partition.head() > committed;
        partition.ring();
        if (partition.belief() == Belief.RESTING) {
            partition.believe(Belief.IDLE);
            if (isMore) {
                makeReady(partition);
            } else {
                nextInLine(partition);
            }
        }
        return isMore;
    }

    /**
     * Another server says that a group's lease in the partition is over. This server may have missed what was pushed to it, so the
     * partition is tried in any case.
     */
    void freedElsewhere(UUID partitionId, String group) {
        GroupPartition partition = backlogs.find(partitionId, group);
        if (partition != null) {
            partition.ring();
            if (partition.isHeld()) {
                retry(partition);
            }
        }
    }

    /** A lease of this server lasts longer. */
    public void renewed(UUID leaseId, int seconds) {
        leases.partitionsOf(leaseId).forEach((partitionId, range) -> {
            range.lastsUntil(Math.max(range.untilNs(), timers.nowNs() + seconds * 1_000_000_000L));
            range.heardOf(timers.nowNs());
            GroupPartition partition = backlogs.find(partitionId, range.group());
            if (partition != null && partition.rest() == Rest.HELD_HERE) {
                rest(partition, Rest.HELD_HERE, (range.untilNs() - timers.nowNs()) / 1_000_000);
            }
        });
    }

    /** What became of the try to lease a partition tells how it stands. */
    void learn(LeaseRound.Try each) {
        GroupPartition partition = each.partition();
        partition.heardOfHead(each.head());
        switch (each.status()) {
            case LEASED -> {
                partition.setCursor(true);
                if (!each.round().pop().command().autoAck()) {
                    rest(partition, Rest.HELD_HERE, each.isRevised() ? BUSY_MOMENT_MS : each.untilMs());
                } else if (partition.head() > each.grant().end()) {
                    partition.backlog().addReady(partition, false);
                } else {
                    partition.believe(Belief.IDLE);
                }
            }
            case SPARED -> partition.believe(Belief.IDLE);
            case BUSY -> rest(partition, Rest.HELD_ELSEWHERE, each.untilMs());
            case WAITING -> rest(partition, Rest.NOT_DUE, each.isRevised() ? BUSY_MOMENT_MS : each.untilMs());
            case EMPTY -> {
                if (each.isOutdated() || each.isRevised()) {
                    partition.backlog().addReady(partition, false);
                } else {
                    partition.believe(Belief.IDLE);
                }
            }
            case EXPIRED -> rest(partition, Rest.HELD_ELSEWHERE, BUSY_MOMENT_MS);
            case ABSENT -> {
                if (partition.hasCursor() || each.isOutdated()) {
                    rest(partition, Rest.HELD_ELSEWHERE, BUSY_MOMENT_MS);
                } else {
                    partition.believe(Belief.IDLE);
                }
            }
        }
    }

    /** A partition that cannot be had for a while; then it is looked at again. */
    private void rest(GroupPartition partition, Rest why, long untilMs) {
        if (!partition.backlog().knows(partition)) {
            // The end of the lease would not reach this object any more, and its alarm would stay until the lease runs out.
            partition.believe(Belief.IDLE);
            return;
        }
        partition.rest(why, timers.after(Math.max(1, untilMs) * 1_000_000, () -> {
            partition.believe(Belief.IDLE);
            makeReady(partition);
        }));
        if (partition.isHeld()) {
            partition.backlog().addHeld(partition);
        }
    }

    /** There is something to read in a partition that nobody holds: whoever waits for it is woken. */
    private void makeReady(GroupPartition partition) {
        if (partition.belief() != Belief.LEASING && partition.belief() != Belief.READY) {
            partition.backlog().addReady(partition, false);
        }
        wakeFor(partition);
    }

    private void wakeFor(GroupPartition partition) {
        Backlog backlog = partition.backlog();
        if (!backlog.isOpen()) {
            return;
        }
        Waiters named = backlog.findWaitersOf(partition.name());
        if (named != null) {
            named.setBackoff(named.backoff().reset());
            Pop pop = partition.belief() == Belief.READY ? parking.takeNext(named) : null;
            if (pop != null) {
                wake(pop);
            }
        }
        backlog.waiters().setBackoff(backlog.waiters().backoff().reset());
        while (backlog.hasReady()) {
            Pop pop = parking.takeNext(backlog.waiters());
            if (pop == null) {
                return;
            }
            wake(pop);
        }
    }

    /** Partitions of a shard stood aside while it could not be reached: those who wait for them are woken. */
    void wakeAllFor(Backlog backlog, int shard) {
        for (GroupPartition partition : backlog.readyIn(shard)) {
            if (partition.belief() == Belief.READY) {
                wakeFor(partition);
            }
        }
    }

    private void wake(Pop pop) {
        pop.become(PopState.PENDING);
        runner.start(pop);
    }

    @Override
    public void found(Backlog backlog, String name) {
        GroupPartition partition = backlog.queue() == null
                ? null
                : backlogs.partition(backlog, name, backlog.queue().partitionId(name));
        if (partition != null && partition.rest() != Rest.NOT_DUE) {
            makeReady(partition);
        }
    }

    /** A partition whose call is over serves those who named it meanwhile, then those who wait. */
    void nextInLine(GroupPartition partition) {
        while (partition.belief() != Belief.LEASING && !partition.waiting().isEmpty()) {
            Pop pop = partition.waiting().poll();
            if (partition.belief() == Belief.RESTING) {
                // The database has just said so, while this one stood in line.
                runner.empty(pop);
            } else {
                runner.start(pop);
            }
        }
        if (partition.belief() == Belief.READY) {
            wakeFor(partition);
        } else {
            backlogs.dropIfIdle(partition);
        }
    }

    /** A queue was created, changed or deleted. */
    void queueChanged(String name) {
        Queue queue = backlogs.queueOf(name);
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(name))) {
            if (backlog.setQueue(queue)) {
                forgetPartitions(backlog);
            }
        }
        if (queue != null) {
            parking.adopt(queue);
        } else {
            parking.abandon(name);
        }
    }

    /** What is believed about the partitions is worth nothing any more; everybody asks again. */
    void forgetPartitions(Backlog backlog) {
        backlogs.forgetPartitions(backlog);
        List<Pop> asking = new ArrayList<>(backlog.waitingForSweep());
        backlog.waitingForSweep().clear();
        asking.forEach(runner::resolve);
        if (backlog.queue() != null) {
            wakeNamed(backlog);
        }
    }

    /** An operator changed something in a partition: whatever is believed about it, it is tried. */
    void partitionRevised(String queueName, String name) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queueName))) {
            GroupPartition partition = backlog.queue() == null
                    ? null
                    : backlogs.partition(backlog, name, backlog.queue().partitionId(name));
            if (partition != null) {
                partition.revise();
                if (partition.belief() != Belief.LEASING) {
                    retry(partition);
                }
            }
        }
    }

    /** A partition of which nothing is believed for sure has its turn. */
    void retry(GroupPartition partition) {
        if (partition.belief() == Belief.RESTING) {
            partition.believe(Belief.IDLE);
        }
        makeReady(partition);
    }

    /** Takes everybody out of line first: one who is woken and finds nothing stands in it again. */
    private void wakeNamed(Backlog backlog) {
        List<Pop> woken = new ArrayList<>();
        for (Waiters named : backlog.namedWaiters()) {
            for (Pop pop = parking.takeNext(named); pop != null; pop = parking.takeNext(named)) {
                woken.add(pop);
            }
        }
        woken.forEach(this::wake);
    }

    private void onLooked(Backlog backlog) {
        List<Pop> waiting = new ArrayList<>(backlog.waitingForSweep());
        backlog.waitingForSweep().clear();
        for (Pop pop : waiting) {
            pop.saw(backlog);
            runner.resolve(pop);
        }
    }

    @Override
    public void ready(GroupPartition partition) {
        partition.believe(Belief.IDLE);
        makeReady(partition);
    }

    @Override
    public void resting(GroupPartition partition, long untilMs) {
        rest(partition, Rest.HELD_ELSEWHERE, untilMs);
    }

    @Override
    public void paged(Backlog backlog) {
        while (backlog.hasReady() && !backlog.waitingForSweep().isEmpty()) {
            runner.resolve(backlog.waitingForSweep().poll());
        }
    }

    @Override
    public void done(Backlog backlog) {
        onLooked(backlog);
    }
}
