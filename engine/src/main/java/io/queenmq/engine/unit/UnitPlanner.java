package io.queenmq.engine.unit;

import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.unit.UnitAnswer.NotApplied;
import io.queenmq.engine.unit.UnitAnswer.NotEncrypted;
import io.queenmq.engine.unit.UnitAnswer.Unknown;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Decides what follows from the answer for a unit of work. Contains no I/O, clock or callback. */
final class UnitPlanner {
    static final long QUEUE_DELETED_DELAY_NS = 5_000_000;
    private static final long REPEAT_MIN_NS = 1_000_000;
    private static final long REPEAT_MAX_NS = 100_000_000;

    private UnitPlanner() {}

    /** The next step of a unit whose call was not executed. */
    sealed interface Next {
        /** The unit begins again after a delay. Its partitions are free meanwhile. */
        record Repeat(String reason) implements Next {}

        /** The same attempt catches up with these partitions and calls again. */
        record PrepareAgain(Set<UUID> partitions) implements Next {}

        /** The unit begins again when the catalog is loaded. */
        record RefreshCatalog(String reason) implements Next {}

        /** The unit is rejected for a reason of its pushes. */
        record Reject(PushRefusal reason, String error) implements Next {}

        /** A lease is not live: transactions and cycles decide for themselves. */
        record LeaseGone(String error) implements Next {}
    }

    static Next onNotEncrypted(NotEncrypted<?> answer) {
        return new Next.Reject(PushRefusal.ENCRYPTION, answer.error());
    }

    static Next onUnknown(Unknown<?> answer) {
        return new Next.Repeat(answer.reason());
    }

    static Next onNotApplied(NotApplied<?> answer) {
        return switch (answer.why()) {
            case LEASE_GONE -> new Next.LeaseGone(answer.error());
            case BUSY -> new Next.Repeat(answer.error());
            case FULL -> new Next.Reject(PushRefusal.FULL, answer.error());
            case OUTDATED -> new Next.RefreshCatalog(answer.error());
            default -> new Next.PrepareAgain(answer.partitions());
        };
    }

    /** Returns the delay before a unit begins again; empty if it has waited for too long. */
    static OptionalLong repeatDelayNs(long waitedNs, long unavailableAfterNs) {
        return waitedNs > unavailableAfterNs
                ? OptionalLong.empty()
                : OptionalLong.of(Math.clamp(waitedNs / 4, REPEAT_MIN_NS, REPEAT_MAX_NS));
    }
}
