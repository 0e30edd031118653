package io.queenmq.engine.push;

import io.queenmq.engine.push.PushBundles.Finding;
import io.queenmq.engine.reply.Reply;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /** Returns true if it reserves its partitions against single pushes and later bundles. */
    boolean isReserving() {
        return isReserving;
    }

    void setReserving(boolean isReserving) {
        if (this.isReserving != isReserving) {
            this.isReserving = isReserving;
            partitions.forEach(partition -> partition.access().reserve(isReserving ? 1 : -1));
        }
    }

    void setResolved() {
        isResolved = true;
    }

    /**
     * Returns the partition that shows whether an earlier call stored the bundle. Null if there is no such call, or if that was
     * checked since the bundle waits.
     */
    @Nullable
    PushPartition unresolvedPartition() {
        PushBundle.Attempt attempt = bundle.attempt();
        return isResolved || attempt == null
                ? null
                : partitions.stream().filter(partition -> partition.id().equals(attempt.partitionId())).findFirst()
                        .orElse(null);
    }

    /** Returns true if it has taken one of its partitions, alone, to catch up or to resolve an earlier call. */
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
