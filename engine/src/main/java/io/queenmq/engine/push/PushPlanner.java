package io.queenmq.engine.push;

import io.queenmq.engine.push.PendingPush.Origin;
import io.queenmq.engine.reply.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what {@link PushTurns} does with the pending pushes of a partition. Contains no I/O, clock or callback. */
final class PushPlanner {
    /** The queue of a push may be deleted and created again while the push waits, but not more often than this. */
    static final int MOVES_MAX = 10;

    private PushPlanner() {}

    /** The next step of a turn. */
    sealed interface Next {
        /** Nothing waits: the partition is free. */
        record End() implements Next {}

        /**
         * Stores the front of the queue.
         *
         * @param isBounded true if the queue has a maximum size. Such pushes are sent in calls of their own, because calls of
         *        bounded queues wait for each other
         */
        record Store(boolean isBounded) implements Next {}

        /** Loads what is new in the partition. */
        record CatchUp() implements Next {}

        /** Checks which of these pushes were stored by calls whose outcome is unknown. */
        record ResolveAttempts(List<PendingPush> pushes) implements Next {}

        /** Compares these pushes, whose hashes are known, with stored messages. */
        record CheckDuplicates(List<PendingPush> pushes) implements Next {}

        /** Looks up the hashes of these pushes, which are from the spool, in PostgreSQL. */
        record CheckSpooled(List<PendingPush> pushes) implements Next {}
    }

    /** Decides the next step of a turn from the state of the partition. */
    static Next next(PushPartition partition) {
        if (!partition.hasWaiting()) {
            return new Next.End();
        }
        if (partition.canBegin()) {
            return new Next.Store(false);
        }
        if (!partition.isCaughtUp()) {
            return new Next.CatchUp();
        }
        List<PendingPush> inDoubt = partition.inDoubt();
        if (!inDoubt.isEmpty()) {
            return new Next.ResolveAttempts(inDoubt);
        }
        if (partition.needsOnlyHead()) {
            List<PendingPush> unchecked = partition.uncheckedSpooled();
            return unchecked.isEmpty() ? new Next.Store(partition.isLimited()) : new Next.CheckSpooled(unchecked);
        }
        List<PendingPush> suspects = partition.suspects();
        return suspects.isEmpty() ? new Next.Store(partition.isLimited()) : new Next.CheckDuplicates(suspects);
    }

    /** The consequence of a segment that PostgreSQL rejects. */
    sealed interface Rejection {
        /** An earlier call may have stored these messages: its outcome must be known first. */
        record CatchUpFirst() implements Rejection {}

        /** One message of several may be the cause: the next drafts have at most this many. */
        record Halve(int messages) implements Rejection {}

        /** The one message of the segment is rejected. */
        record RejectFirst() implements Rejection {}
    }

    /** @param messages in the segment that was rejected */
    static Rejection onRejected(boolean isInDoubt, int messages) {
        if (isInDoubt) {
            return new Rejection.CatchUpFirst();
        }
        return messages > 1 ? new Rejection.Halve(messages / 2) : new Rejection.RejectFirst();
    }

    /**
     * The consequence of a call that failed.
     *
     * @param reported the failure that is reported to producers
     * @param isForAll true if all pushes are spooled or failed; false if only the first one and overdue ones are
     */
    record FailurePlan(Failure reported, boolean isForAll) {}

    /**
     * Decides which pushes are spooled or failed when PostgreSQL cannot be called. If the spool is open, all of them are spooled,
     * in their order. Pushes from the spool always keep waiting.
     *
     * @param isInDoubt true if a call may have stored some of them. Then the failure must not state that nothing was done
     */
    static FailurePlan onFailure(Failure failure, boolean isInDoubt, boolean isSpoolOpen) {
        Failure reported = isInDoubt ? new Failure.Unavailable(failure.message()) : failure;
        boolean isSpooled = reported instanceof Failure.Unavailable && isSpoolOpen;
        return new FailurePlan(reported, isSpooled || !(failure instanceof Failure.Unavailable));
    }

    /**
     * Returns why a push whose queue was deleted fails; null if it is enqueued in the queue that has the name now.
     *
     * @param moves the number of times that its queue was deleted
     * @param isQueueLost the queue was lost with the database, and was not deleted by an operator
     */
    static @Nullable String onQueueDeleted(Origin origin, int moves, boolean isQueueLost) {
        if (origin == Origin.SPOOL && !isQueueLost) {
            return "the queue was deleted while the message waited to be stored";
        }
        return moves > MOVES_MAX
                ? "the partition cannot be created, because the database holds only a part of it"
                : null;
    }
}
