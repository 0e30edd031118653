package io.queenmq.engine.pop;

import io.queenmq.engine.pop.Decision.Reason;
import io.queenmq.engine.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides the next step of a pop from its state and the cached state. Pure: it changes nothing, makes no call and reads no
 * clock. The cached state only selects candidates; PostgreSQL decides which messages are leased.
 */
final class PopPlanner {
    private final int shards;
    private final long popBytesMax;

    /** @param popBytesMax the approximate maximum number of message bytes of one pop */
    PopPlanner(int shards, long popBytesMax) {
        this.shards = shards;
        this.popBytesMax = popBytesMax;
    }

    /**
     * The cached state that a pop is planned with.
     *
     * @param backlogs of the requested queues, in the order in which to try them
     * @param named the partition to lease for a pop that names one; null if it cannot be popped from now, or was tried
     * @param isSubscribed whether the start position of the group is known
     * @param isGone whether the client has disconnected
     * @param isOver whether the pop must not wait
     */
    record View(List<Backlog> backlogs, @Nullable GroupPartition named, boolean isSubscribed, boolean isGone,
            boolean isOver, long nowNs) {}

    Decision decide(Pop pop, View view) {
        boolean hasGrants = !pop.grants().isEmpty();
        if (pop.isEnded()) {
            return new Decision.Empty();
        }
        if (pop.failure() != null && !isPassedOver(pop)) {
            return failed(pop.failure(), view);
        }
        if (view.isGone && !hasGrants) {
            return new Decision.Empty();
        }
        if (!view.isSubscribed) {
            return hasGrants ? new Decision.Fetch() : new Decision.Wait(Reason.SUBSCRIPTION);
        }
        return pop.isNamed() ? decideNamed(pop, view) : decideAny(pop, view);
    }

    /** One shard failed before anything was leased. The pop tries the other shards, once, so that it does not wait for all. */
    private boolean isPassedOver(Pop pop) {
        return shards > 1 && pop.passedOver() != 0 && pop.failures() == 1 && !pop.isNamed() && pop.grants().isEmpty()
                && pop.failure() instanceof Failure.Unavailable;
    }

    private static Decision failed(Failure failure, View view) {
        return failure instanceof Failure.Unavailable && !view.isOver
                ? new Decision.Wait(Reason.DATABASE)
                : new Decision.Fail(failure);
    }

    private static Decision nothing(View view) {
        return view.isOver ? new Decision.Empty() : new Decision.Wait(Reason.MESSAGE);
    }

    private static Decision decideNamed(Pop pop, View view) {
        if (!pop.grants().isEmpty()) {
            return new Decision.Fetch();
        }
        if (view.named == null) {
            return nothing(view);
        }
        return switch (view.named.state()) {
            // At most one lease call per partition and group is in flight.
            case LEASING -> new Decision.Wait(Reason.PARTITION_IN_USE);
            // The call that the pop waited for has just shown that the partition cannot be leased.
            case RESTING -> pop.hasAwaitedCall() ? nothing(view) : new Decision.Lease(List.of(view.named));
            case IDLE, READY -> new Decision.Lease(List.of(view.named));
        };
    }

    private Decision decideAny(Pop pop, View view) {
        boolean hasGrants = !pop.grants().isEmpty();
        boolean wantsMore = !pop.isSatisfied(popBytesMax) && pop.hasRoundsLeft(shards);
        List<GroupPartition> candidates = wantsMore ? candidates(pop, view.backlogs) : List.of();
        if (!candidates.isEmpty()) {
            return new Decision.Lease(candidates);
        }
        if (hasGrants) {
            return new Decision.Fetch();
        }
        if (!wantsMore) {
            return nothing(view);
        }
        if (pop.failure() != null) {
            return failed(pop.failure(), view);
        }
        Backlog unscanned = unscanned(pop, view);
        return unscanned == null ? nothing(view) : new Decision.Scan(unscanned);
    }

    /** Returns ready partitions in their order, all of one shard, because one lease covers them. */
    private static List<GroupPartition> candidates(Pop pop, List<Backlog> backlogs) {
        List<GroupPartition> candidates = new ArrayList<>(1);
        int max = pop.candidatesWanted();
        int shard = pop.shard();
        for (Backlog backlog : backlogs) {
            if (shard == ReadyQueue.NONE) {
                shard = backlog.nextShard(pop.passedOver());
            }
            if (shard != ReadyQueue.NONE && backlog.isOpen()) {
                backlog.addReadyTo(candidates, shard, max);
            }
        }
        return candidates;
    }

    /**
     * Returns a backlog to be scanned before the pop may be answered empty; null if there is none. Other servers may have
     * stored messages, so each backlog is scanned once since the pop arrived. A pop that may wait skips a scan if recent
     * ones found nothing, and a pop that has waited already needs none.
     */
    private static @Nullable Backlog unscanned(Pop pop, View view) {
        if (pop.hasWaited()) {
            return null;
        }
        for (Backlog backlog : view.backlogs) {
            if (backlog.isOpen() && !pop.hasScanned(backlog) && (view.isOver || !backlog.canSkipScan(view.nowNs))) {
                return backlog;
            }
        }
        return null;
    }
}
