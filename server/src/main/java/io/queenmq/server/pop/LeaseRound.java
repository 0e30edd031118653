package io.queenmq.server.pop;

import io.queenmq.server.lane.OffsetSet;
import io.queenmq.server.reply.Failure;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The lanes one pop tries to lease together, and what became of each. Lanes that were not in a state to be leased are
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

    /** @param epoch of the database history in which the lanes and the subscription were found */
    LeaseRound(Pop pop, UUID leaseId, List<GroupLane> lanes, OffsetDateTime fromAt, long epoch) {
        this.epoch = epoch;
        this.pop = pop;
        this.leaseId = leaseId;
        this.fromAt = fromAt;
        this.tries = new ArrayList<>(lanes.size());
        for (GroupLane lane : lanes) {
            tries.add(new Try(lane));
        }
        this.open = tries;
    }

    Pop pop() {
        return pop;
    }

    UUID leaseId() {
        return leaseId;
    }

    /** The number of the shard that holds all its lanes. */
    int shard() {
        return tries.getFirst().lane.shard();
    }

    /** Where the group begins in lanes it has no cursor in; null for their beginning. */
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

    int lanesWanted() {
        int wanted = pop.lanesWanted();
        for (Try each : tries) {
            wanted -= each.status == LeaseStatus.LEASED ? 1 : 0;
        }
        return wanted;
    }

    /** Whether cursors were opened and overdue leases ended for these lanes already. */
    boolean isPrepared() {
        return isPrepared;
    }

    /** These lanes have something done to them before they are asked for again. */
    void prepare(List<Try> unprepared) {
        isPrepared = true;
        open = unprepared;
        openSteps = unprepared.size();
    }

    boolean finishStep() {
        return --openSteps == 0;
    }

    /** Enough was granted already: the lanes that were seen to are left for others. */
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

    /** One lane of the round. */
    final class Try {
        private final GroupLane lane;
        private final int ringsBefore;
        private final int revisionsBefore;
        private LeaseStatus status = LeaseStatus.ABSENT;
        private Pop.Grant grant;
        private long head;
        private long untilMs;

        private Try(GroupLane lane) {
            this.lane = lane;
            this.ringsBefore = lane.rings();
            this.revisionsBefore = lane.revisions();
        }

        LeaseRound round() {
            return LeaseRound.this;
        }

        GroupLane lane() {
            return lane;
        }

        void answer(LeaseStatus status, long first, long end, long head, long untilMs, OffsetSet acked,
                Attempts attempts, boolean isAlone, long bytes, long nowNs) {
            this.status = status;
            this.head = head;
            this.untilMs = untilMs;
            this.grant = new Pop.Grant(lane, first, end, acked, attempts, isAlone, bytes, nowNs + untilMs * 1_000_000);
        }

        LeaseStatus status() {
            return status;
        }

        /** Whether the database has said how the lane stands, and so that the group has a cursor in it. */
        boolean isAnswered() {
            return grant != null && status != LeaseStatus.ABSENT;
        }

        /** The lane is left for others. */
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

        /** Whether the bell rang for the lane while the call was on its way. */
        boolean isOutdated() {
            return lane.rings() != ringsBefore;
        }

        /** Whether an operator changed something in the lane while the call was on its way. */
        boolean isRevised() {
            return lane.revisions() != revisionsBefore;
        }
    }
}
