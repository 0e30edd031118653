package io.queenmq.server.pop;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.lane.Arrivals;
import io.queenmq.server.lane.SegmentCache;
import io.queenmq.server.lease.Leases;
import io.queenmq.server.pop.GroupLane.Belief;
import io.queenmq.server.pop.GroupLane.Rest;
import io.queenmq.server.time.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Keeps the beliefs about lanes up to date and wakes those who wait for them. Everything that may make a lane readable
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
    public boolean pushed(Queue queue, String partition, UUID partitionId, long head) {
        boolean isRead = false;
        for (Backlog backlog : backlogs.ofQueue(queue.name())) {
            if (backlog.queue() != null && backlog.queue().id().equals(queue.id())) {
                isRead = true;
                GroupLane lane = backlogs.lane(backlog, partition, partitionId);
                if (lane != null) {
                    lane.heardOfHead(head);
                    lane.ring();
                    if (lane.belief() == Belief.IDLE) {
                        makeReady(lane);
                    }
                }
            }
        }
        return isRead;
    }

    @Override
    public boolean released(String queue, UUID partitionId, String group, long committed) {
        GroupLane lane = backlogs.find(partitionId, group);
        if (lane == null) {
            return true;
        }
        if (backlogs.ofQueue(lane.backlog().queueName()).size() == 1) {
            cache.removeBefore(partitionId, committed);
        }
        boolean isMore = lane.head() > committed;
        lane.ring();
        if (lane.belief() == Belief.RESTING) {
            lane.believe(Belief.IDLE);
            if (isMore) {
                makeReady(lane);
            } else {
                nextInLine(lane);
            }
        }
        return isMore;
    }

    /**
     * Another server says that a group's lease in the lane is over. This server may have missed what was pushed to it, so the
     * lane is tried in any case.
     */
    void freedElsewhere(UUID partitionId, String group) {
        GroupLane lane = backlogs.find(partitionId, group);
        if (lane != null) {
            lane.ring();
            if (lane.isHeld()) {
                retry(lane);
            }
        }
    }

    /** A lease of this server lasts longer. */
    public void renewed(UUID leaseId, int seconds) {
        leases.lanesOf(leaseId).forEach((partitionId, range) -> {
            range.lastsUntil(Math.max(range.untilNs(), timers.nowNs() + seconds * 1_000_000_000L));
            range.heardOf(timers.nowNs());
            GroupLane lane = backlogs.find(partitionId, range.group());
            if (lane != null && lane.rest() == Rest.HELD_HERE) {
                rest(lane, Rest.HELD_HERE, (range.untilNs() - timers.nowNs()) / 1_000_000);
            }
        });
    }

    /** What became of the try to lease a lane tells how it stands. */
    void learn(LeaseRound.Try each) {
        GroupLane lane = each.lane();
        lane.heardOfHead(each.head());
        switch (each.status()) {
            case LEASED -> {
                lane.setCursor(true);
                if (!each.round().pop().command().autoAck()) {
                    rest(lane, Rest.HELD_HERE, each.isRevised() ? BUSY_MOMENT_MS : each.untilMs());
                } else if (lane.head() > each.grant().end()) {
                    lane.backlog().addReady(lane, false);
                } else {
                    lane.believe(Belief.IDLE);
                }
            }
            case SPARED -> lane.believe(Belief.IDLE);
            case BUSY -> rest(lane, Rest.HELD_ELSEWHERE, each.untilMs());
            case WAITING -> rest(lane, Rest.NOT_DUE, each.isRevised() ? BUSY_MOMENT_MS : each.untilMs());
            case EMPTY -> {
                if (each.isOutdated() || each.isRevised()) {
                    lane.backlog().addReady(lane, false);
                } else {
                    lane.believe(Belief.IDLE);
                }
            }
            case EXPIRED -> rest(lane, Rest.HELD_ELSEWHERE, BUSY_MOMENT_MS);
            case ABSENT -> {
                if (lane.hasCursor() || each.isOutdated()) {
                    rest(lane, Rest.HELD_ELSEWHERE, BUSY_MOMENT_MS);
                } else {
                    lane.believe(Belief.IDLE);
                }
            }
        }
    }

    /** A lane that cannot be had for a while; then it is looked at again. */
    private void rest(GroupLane lane, Rest why, long untilMs) {
        if (!lane.backlog().knows(lane)) {
            // The end of the lease would not reach this object any more, and its alarm would stay until the lease runs out.
            lane.believe(Belief.IDLE);
            return;
        }
        lane.rest(why, timers.after(Math.max(1, untilMs) * 1_000_000, () -> {
            lane.believe(Belief.IDLE);
            makeReady(lane);
        }));
        if (lane.isHeld()) {
            lane.backlog().addHeld(lane);
        }
    }

    /** There is something to read in a lane that nobody holds: whoever waits for it is woken. */
    private void makeReady(GroupLane lane) {
        if (lane.belief() != Belief.LEASING && lane.belief() != Belief.READY) {
            lane.backlog().addReady(lane, false);
        }
        wakeFor(lane);
    }

    private void wakeFor(GroupLane lane) {
        Backlog backlog = lane.backlog();
        if (!backlog.isOpen()) {
            return;
        }
        Waiters named = backlog.findWaitersOf(lane.name());
        if (named != null) {
            named.setBackoff(named.backoff().reset());
            Pop pop = lane.belief() == Belief.READY ? parking.takeNext(named) : null;
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

    /** Lanes of a shard stood aside while it could not be reached: those who wait for them are woken. */
    void wakeAllFor(Backlog backlog, int shard) {
        for (GroupLane lane : backlog.readyIn(shard)) {
            if (lane.belief() == Belief.READY) {
                wakeFor(lane);
            }
        }
    }

    private void wake(Pop pop) {
        pop.become(PopState.PENDING);
        runner.start(pop);
    }

    @Override
    public void found(Backlog backlog, String partition) {
        GroupLane lane = backlog.queue() == null
                ? null
                : backlogs.lane(backlog, partition, backlog.queue().partitionId(partition));
        if (lane != null && lane.rest() != Rest.NOT_DUE) {
            makeReady(lane);
        }
    }

    /** A lane whose call is over serves those who named it meanwhile, then those who wait. */
    void nextInLine(GroupLane lane) {
        while (lane.belief() != Belief.LEASING && !lane.waiting().isEmpty()) {
            Pop pop = lane.waiting().poll();
            if (lane.belief() == Belief.RESTING) {
                // The database has just said so, while this one stood in line.
                runner.empty(pop);
            } else {
                runner.start(pop);
            }
        }
        if (lane.belief() == Belief.READY) {
            wakeFor(lane);
        } else {
            backlogs.dropIfIdle(lane);
        }
    }

    /** A queue was created, changed or deleted. */
    void queueChanged(String name) {
        Queue queue = backlogs.queueOf(name);
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(name))) {
            if (backlog.setQueue(queue)) {
                forgetLanes(backlog);
            }
        }
        if (queue != null) {
            parking.adopt(queue);
        } else {
            parking.abandon(name);
        }
    }

    /** What is believed about the lanes is worth nothing any more; everybody asks again. */
    void forgetLanes(Backlog backlog) {
        backlogs.forgetLanes(backlog);
        List<Pop> asking = new ArrayList<>(backlog.waitingForSweep());
        backlog.waitingForSweep().clear();
        asking.forEach(runner::resolve);
        if (backlog.queue() != null) {
            wakeNamed(backlog);
        }
    }

    /** An operator changed something in a lane: whatever is believed about it, it is tried. */
    void laneRevised(String queueName, String partition) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queueName))) {
            GroupLane lane = backlog.queue() == null
                    ? null
                    : backlogs.lane(backlog, partition, backlog.queue().partitionId(partition));
            if (lane != null) {
                lane.revise();
                if (lane.belief() != Belief.LEASING) {
                    retry(lane);
                }
            }
        }
    }

    /** A lane of which nothing is believed for sure has its turn. */
    void retry(GroupLane lane) {
        if (lane.belief() == Belief.RESTING) {
            lane.believe(Belief.IDLE);
        }
        makeReady(lane);
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
    public void ready(GroupLane lane) {
        lane.believe(Belief.IDLE);
        makeReady(lane);
    }

    @Override
    public void resting(GroupLane lane, long untilMs) {
        rest(lane, Rest.HELD_ELSEWHERE, untilMs);
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
