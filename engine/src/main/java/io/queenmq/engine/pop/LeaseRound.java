package io.queenmq.engine.pop;

import io.queenmq.engine.partition.OffsetSet;
import io.queenmq.engine.reply.Failure;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The partitions one pop tries to lease together, and what became of each. Partitions that were not in a state to be leased are
 * seen to and asked for once more. Owned by the engine loop.
 */
final class LeaseRound {
    private final Pop pop;
    private final UUID leaseId;
    private final OffsetDateTime fromAt;
    private final long epoch;
    private final List<Try> tries;
    private List<Try> open;
    private boolean isPrepared;
    private int openSteps;
    private boolean isUnknown;
    private Failure failure;

    /** @param epoch of the database history in which the partitions and the subscription were found */
    LeaseRound(Pop pop, UUID leaseId, List<GroupPartition> partitions, OffsetDateTime fromAt, long epoch) {
        this.epoch = epoch;
        this.pop = pop;
        this.leaseId = leaseId;
        this.fromAt = fromAt;
        this.tries = new ArrayList<>(partitions.size());
        for (GroupPartition partition : partitions) {
            tries.add(new Try(partition));
        }
        this.open = tries;
    }

    Pop pop() {
        return pop;
    }

    UUID leaseId() {
        return leaseId;
    }

    /** The number of the shard that holds all its partitions. */
    int shard() {
        return tries.getFirst().partition.shard();
    }

    /** Where the group begins in partitions it has no cursor in; null for their beginning. */
    OffsetDateTime fromAt() {
        return fromAt;
    }

    List<Try> tries() {
        return tries;
    }

    /** What it was answered is of this epoch; in a later one it is not carried any more. */
    long epoch() {
        return epoch;
    }

    /** The tries to ask the database about now; their last answers no longer count. */
    List<Try> askFor() {
        for (Try each : open) {
            each.status = LeaseStatus.ABSENT;
        }
        return open;
    }

    int messagesWanted() {
        int wanted = pop.messagesWanted();
        for (Try each : tries) {
            if (each.status == LeaseStatus.LEASED) {
                wanted = each.grant.isAlone() ? 0 : wanted - each.grant.count();
            }
        }
        return wanted;
    }

    /** How many of so many bytes are left. */
    long bytesLeft(long bytesMax) {
        long left = bytesMax - pop.grantedBytes();
        for (Try each : tries) {
            left -= each.status == LeaseStatus.LEASED ? each.grant.bytes() : 0;
        }
        return Math.max(left, 1);
    }

    int partitionsWanted() {
        int wanted = pop.partitionsWanted();
        for (Try each : tries) {
            wanted -= each.status == LeaseStatus.LEASED ? 1 : 0;
        }
        return wanted;
    }

    /** Whether cursors were opened and overdue leases ended for these partitions already. */
    boolean isPrepared() {
        return isPrepared;
    }

    /** These partitions have something done to them before they are asked for again. */
    void prepare(List<Try> unprepared) {
        isPrepared = true;
        open = unprepared;
        openSteps = unprepared.size();
    }

    boolean finishStep() {
        return --openSteps == 0;
    }

    /** Enough was granted already: the partitions that were seen to are left for others. */
    void spareTheRest() {
        for (Try each : open) {
            each.spare();
        }
    }

    /** Why the round could not be carried; null when it was. */
    Failure failure() {
        return failure;
    }

    void setFailure(Failure failure) {
        this.failure = failure;
    }

    /** Whether a call of the round was lost that may have leased partitions. */
    boolean isUnknown() {
        return isUnknown;
    }

    void setUnknown() {
        isUnknown = true;
    }

    /** One partition of the round. */
    final class Try {
        private final GroupPartition partition;
        private final int ringsBefore;
        private final int revisionsBefore;
        private LeaseStatus status = LeaseStatus.ABSENT;
        private Pop.Grant grant;
        private long head;
        private long untilMs;

        private Try(GroupPartition partition) {
            this.partition = partition;
            this.ringsBefore = partition.rings();
            this.revisionsBefore = partition.revisions();
        }

        LeaseRound round() {
            return LeaseRound.this;
        }

        GroupPartition partition() {
            return partition;
        }

        void answer(LeaseStatus status, long first, long end, long head, long untilMs, OffsetSet acked,
                Attempts attempts, boolean isAlone, long bytes, long nowNs) {
            this.status = status;
            this.head = head;
            this.untilMs = untilMs;
            this.grant = new Pop.Grant(partition, first, end, acked, attempts, isAlone, bytes,
                    nowNs + untilMs * 1_000_000);
        }

        LeaseStatus status() {
            return status;
        }

        /** Whether the database has said how the partition stands, and so that the group has a cursor in it. */
        boolean isAnswered() {
            return grant != null && status != LeaseStatus.ABSENT;
        }

        /** The partition is left for others. */
        void spare() {
            status = LeaseStatus.SPARED;
        }

        /** The partition cannot be leased before this time has passed. */
        void postpone(long forMs) {
            status = LeaseStatus.BUSY;
            untilMs = forMs;
        }

        Pop.Grant grant() {
            return grant;
        }

        long head() {
            return head;
        }

        long untilMs() {
            return untilMs;
        }

        /** Whether the bell rang for the partition while the call was on its way. */
        boolean isOutdated() {
            return partition.rings() != ringsBefore;
        }

        /** Whether an operator changed something in the partition while the call was on its way. */
        boolean isRevised() {
            return partition.revisions() != revisionsBefore;
        }
    }
}
