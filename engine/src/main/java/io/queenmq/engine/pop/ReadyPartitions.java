package io.queenmq.engine.pop;

import io.queenmq.engine.lease.Leases;
import io.queenmq.engine.partition.SegmentCache;
import io.queenmq.engine.pop.GroupPartition.Rest;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.UUID;

/**
 * Keeps the cached state of partitions up to date. Every event that may make a partition ready is applied here: pushes, the
 * end of leases, due times, hints of peers, results of scans. A partition that may have messages for waiting pops becomes an
 * event; no pop continues within a call of this class. Owned by the engine loop.
 */
final class ReadyPartitions {
    /** The time until a cursor that another transaction locks is tried again. */
    private static final long RETRY_LOCKED_MS = 5;

    private final Backlogs backlogs;
    private final PopEvents events;
    private final Leases leases;
    private final SegmentCache cache;
    private final Timers timers;

    ReadyPartitions(Backlogs backlogs, PopEvents events, Leases leases, SegmentCache cache, Timers timers) {
        this.backlogs = backlogs;
        this.events = events;
        this.leases = leases;
        this.cache = cache;
        this.timers = timers;
    }

    /**
     * Messages were stored; head is the next offset of the partition.
     *
     * @return whether a group pops from the queue on this server
     */
    boolean pushed(Queue queue, String name, UUID partitionId, long head) {
        boolean isRead = false;
        for (Backlog backlog : backlogs.ofQueue(queue.name())) {
            Queue popped = backlog.queue();
            if (popped != null && popped.id().equals(queue.id())) {
                isRead = true;
                GroupPartition partition = backlogs.partition(backlog, name, partitionId);
                if (partition != null) {
                    partition.raiseHead(head);
                    partition.countArrival();
                    if (partition.state() == State.IDLE) {
                        makeReady(partition);
                    }
                }
            }
        }
        return isRead;
    }

    /**
     * A lease of a group ended; committed is the first offset that the group has not finished.
     *
     * @return whether the partition may have more messages for the group
     */
    boolean released(UUID partitionId, String group, long committed) {
        GroupPartition partition = backlogs.find(partitionId, group);
        if (partition == null) {
            return true;
        }
        if (backlogs.ofQueue(partition.backlog().queueName()).size() == 1) {
            cache.removeBefore(partitionId, committed);
        }
        boolean isMore = partition.head() > committed;
        partition.countArrival();
        if (partition.state() == State.RESTING) {
            partition.become(State.IDLE);
            if (isMore) {
                makeReady(partition);
            } else {
                callEnded(partition);
            }
        }
        return isMore;
    }

    /** A lease of a group ended on a peer. Hints of pushes may be lost, so the partition is tried in any case. */
    void releasedByPeer(UUID partitionId, String group) {
        GroupPartition partition = backlogs.find(partitionId, group);
        if (partition != null) {
            partition.countArrival();
            if (partition.isLeased()) {
                retry(partition);
            }
        }
    }

    /** A lease of this server was renewed. */
    void renewed(UUID leaseId, int seconds) {
        leases.partitionsOf(leaseId).forEach((partitionId, range) -> {
            range.setUntil(Math.max(range.untilNs(), timers.nowNs() + seconds * 1_000_000_000L));
            range.confirm(timers.nowNs());
            GroupPartition partition = backlogs.find(partitionId, range.group());
            if (partition != null && partition.rest() == Rest.LEASED_HERE) {
                rest(partition, Rest.LEASED_HERE, (range.untilNs() - timers.nowNs()) / 1_000_000);
            }
        });
    }

    /** Applies the result of a lease call to the partition. */
    void apply(LeaseRound.Try each) {
        GroupPartition partition = each.partition();
        partition.raiseHead(each.head());
        switch (each.status()) {
            case LEASED -> {
                partition.setCursor(true);
                if (!each.round().pop().command().autoAck()) {
                    rest(partition, Rest.LEASED_HERE, each.isRevised() ? RETRY_LOCKED_MS : each.untilMs());
                } else if (partition.head() > each.grant().range().end()) {
                    partition.backlog().addReady(partition, false);
                } else {
                    partition.become(State.IDLE);
                }
            }
            case SPARED -> partition.become(State.IDLE);
            case BUSY -> rest(partition, Rest.LEASED_BY_PEER, each.untilMs());
            case WAITING -> rest(partition, Rest.NOT_DUE, each.isRevised() ? RETRY_LOCKED_MS : each.untilMs());
            case EMPTY -> {
                if (each.isOutdated() || each.isRevised()) {
                    partition.backlog().addReady(partition, false);
                } else {
                    partition.become(State.IDLE);
                }
            }
            case EXPIRED -> rest(partition, Rest.LEASED_BY_PEER, RETRY_LOCKED_MS);
            case ABSENT -> {
                if (partition.hasCursor() || each.isOutdated()) {
                    rest(partition, Rest.LEASED_BY_PEER, RETRY_LOCKED_MS);
                } else {
                    partition.become(State.IDLE);
                }
            }
        }
    }

    /** The lease call of a partition is complete, and its result applied: the next waiting pop has its turn. */
    void callEnded(GroupPartition partition) {
        if (partition.isAwaited() || partition.state() == State.READY) {
            addEvent(partition);
        } else {
            backlogs.dropIfIdle(partition);
        }
    }

    /** The partition cannot be leased for a while; then it is tried again. */
    void rest(GroupPartition partition, Rest why, long untilMs) {
        if (!partition.backlog().contains(partition)) {
            // The end of the lease would not reach this object, and its alarm would stay until the lease expires.
            partition.become(State.IDLE);
            return;
        }
        partition.rest(why, timers.after(Math.max(1, untilMs) * 1_000_000, () -> retry(partition)));
        if (partition.isLeased()) {
            partition.backlog().addLeased(partition);
        }
    }

    /** The partition may have messages, unless none is due yet. */
    void found(Backlog backlog, String name) {
        Queue queue = backlog.queue();
        GroupPartition partition = queue == null ? null : backlogs.partition(backlog, name, queue.partitionId(name));
        if (partition != null && partition.rest() != Rest.NOT_DUE) {
            makeReady(partition);
        }
    }

    /** An operator changed the partition: it is tried, in any cached state. */
    void revised(GroupPartition partition) {
        partition.revise();
        if (partition.state() != State.LEASING) {
            retry(partition);
        }
    }

    /** The partition is tried, although it may be leased. */
    void retry(GroupPartition partition) {
        if (partition.state() == State.RESTING) {
            partition.become(State.IDLE);
        }
        makeReady(partition);
    }

    /** The shard of the partitions is available again: waiting pops may lease them. */
    void shardAvailable(Backlog backlog, int shard) {
        backlog.readyIn(shard).forEach(this::addEvent);
    }

    private void makeReady(GroupPartition partition) {
        if (partition.state() != State.LEASING && partition.state() != State.READY) {
            partition.backlog().addReady(partition, false);
        }
        addEvent(partition);
    }

    private void addEvent(GroupPartition partition) {
        if (!partition.isEventQueued()) {
            partition.setEventQueued(true);
            events.add(partition);
        }
    }
}
