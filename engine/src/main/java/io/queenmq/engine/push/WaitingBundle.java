package io.queenmq.engine.push;

import io.queenmq.engine.push.PushBundles.Finding;
import io.queenmq.engine.reply.Reply;
import java.util.Set;

/** A bundle that waits for its partitions. Ordered by arrival. Owned by the engine loop. */
final class WaitingBundle implements Comparable<WaitingBundle> {
    private final PushBundle bundle;
    private final Set<PushPartition> partitions;
    private final Reply<Finding> reply;
    private boolean isReserving;
    private boolean isCatchingUp;
    private boolean isResolved;
    private boolean isOver;

    WaitingBundle(PushBundle bundle, Reply<Finding> reply) {
        this.bundle = bundle;
        this.partitions = bundle.partitions();
        this.reply = reply;
    }

    PushBundle bundle() {
        return bundle;
    }

    Set<PushPartition> partitions() {
        return partitions;
    }

    Reply<Finding> reply() {
        return reply;
    }

    /** Whether single pushes and later bundles are kept out of its partitions. */
    boolean isReserving() {
        return isReserving;
    }

    void setReserving(boolean isReserving) {
        if (this.isReserving != isReserving) {
            this.isReserving = isReserving;
            partitions.forEach(partition -> partition.access().reserve(isReserving ? 1 : -1));
        }
    }

    /** Returns true if an earlier call may have stored the bundle, and that was not checked since the bundle waits. */
    boolean needsResolving() {
        return !isResolved && attemptedPartition() != null;
    }

    void setResolved() {
        isResolved = true;
    }

    /** Returns the partition that tells whether an earlier call stored the bundle; null if none does. */
    PushPartition attemptedPartition() {
        PushBundle.Attempt attempt = bundle.attempt();
        return attempt == null
                ? null
                : partitions.stream().filter(partition -> partition.id().equals(attempt.partitionId())).findFirst()
                        .orElse(null);
    }

    /** Whether one of its partitions is taken, alone, to catch up or to resolve an earlier call. */
    boolean isCatchingUp() {
        return isCatchingUp;
    }

    void setCatchingUp(boolean isCatchingUp) {
        this.isCatchingUp = isCatchingUp;
    }

    boolean isOver() {
        return isOver;
    }

    void end() {
        isOver = true;
        setReserving(false);
    }

    @Override
    public int compareTo(WaitingBundle other) {
        return Long.compare(bundle.number(), other.bundle.number());
    }
}
