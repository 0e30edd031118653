package io.queenmq.engine.pop;

import io.queenmq.engine.reply.Failure;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a pop tries to lease together, with the result for each. Partitions without a cursor or with an expired
 * lease are prepared and tried once more. Owned by the engine loop.
 */
final class LeaseRound implements PopEvent {
    private final Pop pop;
    private final UUID leaseId;
    private final @Nullable OffsetDateTime fromAt;
    private final long epoch;
    private final List<Try> tries;
    private List<Try> open;
    private boolean isPrepared;
    private int openSteps;
    private boolean isUnknown;
    private @Nullable Failure failure;

    /** @param epoch of the database history in which the partitions and the subscription were read */
    LeaseRound(Pop pop, UUID leaseId, List<GroupPartition> partitions, @Nullable OffsetDateTime fromAt, long epoch) {
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

    /** Returns the shard of all its partitions. */
    int shard() {
        return tries.getFirst().partition.shard();
    }

    /** Returns the start position of the group in partitions without a cursor; null for their beginning. */
    @Nullable
    OffsetDateTime fromAt() {
        return fromAt;
    }

    List<Try> tries() {
        return tries;
    }

    /** Returns the epoch of its answers. In a later epoch no call is made for it. */
    long epoch() {
        return epoch;
    }

    /** Returns the tries that the next call is about. */
    List<Try> open() {
        return open;
    }

    /**
     * Applies the answers of a call.
     *
     * @param answers one for each open try, or none if no call was made
     */
    void answer(List<LeaseAnswer> answers, long nowNs) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).answer(answers.isEmpty() ? LeaseAnswer.NONE : answers.get(i), nowNs);
        }
    }

    int messagesWanted() {
        int wanted = pop.messagesWanted();
        for (Try each : tries) {
            if (each.status == LeaseStatus.LEASED) {
                wanted = each.grant().range().isAlone() ? 0 : wanted - each.grant().range().count();
            }
        }
        return wanted;
    }

    /** Returns the remaining number of bytes, at least one. */
    long bytesLeft(long bytesMax) {
        long left = bytesMax - pop.grantedBytes();
        for (Try each : tries) {
            left -= each.status == LeaseStatus.LEASED ? each.grant().range().bytes() : 0;
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

    /** Returns whether missing cursors were created and expired leases ended already. */
    boolean isPrepared() {
        return isPrepared;
    }

    /** The given tries need one call each before they are tried again. */
    void prepare(List<Try> unprepared) {
        isPrepared = true;
        open = unprepared;
        openSteps = unprepared.size();
    }

    boolean finishStep() {
        return --openSteps == 0;
    }

    /** Enough was granted already: the prepared partitions are left for other pops. */
    void spareTheRest() {
        for (Try each : open) {
            each.spare();
        }
    }

    /** Returns why no call could be made; null if it was made. */
    @Nullable
    Failure failure() {
        return failure;
    }

    void setFailure(Failure failure) {
        this.failure = failure;
    }

    /** Returns whether a lost call of the round may have leased partitions. */
    boolean isUnknown() {
        return isUnknown;
    }

    void setUnknown() {
        isUnknown = true;
    }

    /** One partition of the round. */
    final class Try {
        private final GroupPartition partition;
        private final int arrivalsBefore;
        private final int revisionsBefore;
        private LeaseStatus status = LeaseStatus.ABSENT;
        private @Nullable Grant grant;
        private long head;
        private long untilMs;

        private Try(GroupPartition partition) {
            this.partition = partition;
            this.arrivalsBefore = partition.arrivals();
            this.revisionsBefore = partition.revisions();
        }

        LeaseRound round() {
            return LeaseRound.this;
        }

        GroupPartition partition() {
            return partition;
        }

        private void answer(LeaseAnswer answer, long nowNs) {
            status = answer.status();
            if (answer.range() != null) {
                head = answer.head();
                untilMs = answer.untilMs();
                grant = new Grant(partition, answer.range(), nowNs + untilMs * 1_000_000);
            }
        }

        LeaseStatus status() {
            return status;
        }

        /** Returns whether PostgreSQL returned a row, and so that the group has a cursor in the partition. */
        boolean isAnswered() {
            return grant != null && status != LeaseStatus.ABSENT;
        }

        /** Leaves the partition for other pops. */
        void spare() {
            status = LeaseStatus.SPARED;
        }

        /** The partition must not be tried before this time has passed. */
        void postpone(long forMs) {
            status = LeaseStatus.BUSY;
            untilMs = forMs;
        }

        /** Returns the leased messages. Must be called only if the status is LEASED. */
        Grant grant() {
            return Objects.requireNonNull(grant);
        }

        long head() {
            return head;
        }

        long untilMs() {
            return untilMs;
        }

        /** Returns whether there was an arrival during the call. */
        boolean isOutdated() {
            return partition.arrivals() != arrivalsBefore;
        }

        /** Returns whether an operator changed the partition during the call. */
        boolean isRevised() {
            return partition.revisions() != revisionsBefore;
        }
    }
}
