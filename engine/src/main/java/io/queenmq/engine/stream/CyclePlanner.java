package io.queenmq.engine.stream;

import io.queenmq.engine.stream.CyclePlanner.Next.Done;
import io.queenmq.engine.stream.CyclePlanner.Next.Rejected;
import io.queenmq.engine.stream.CyclePlanner.Next.Repeat;
import io.queenmq.engine.stream.CyclePlanner.Next.Repeated;
import io.queenmq.engine.stream.CyclePlanner.Next.UnknownQuery;
import org.jspecify.annotations.Nullable;

/** Decides what follows from the verdict of the database on a cycle. Contains no I/O, clock or callback. */
final class CyclePlanner {
    private CyclePlanner() {}

    sealed interface Next {
        /** The cycle took effect. */
        record Done() implements Next {}

        /** The cycle took effect before, maybe by a call of this server whose response was lost. */
        record Repeated() implements Next {}

        /** The cycle begins again. */
        record Repeat(String reason) implements Next {}

        record UnknownQuery() implements Next {}

        /** @param isLeaseGone the lease of the cycle is not live and is forgotten */
        record Rejected(String error, boolean isLeaseGone) implements Next {}
    }

    /** @param refusal why no lease was found for the ack of the cycle; null if one was found or none is needed */
    static Next onVerdict(Verdict verdict, @Nullable String refusal) {
        return switch (verdict) {
            case GO -> new Done();
            case REPEATED -> new Repeated();
            case BUSY -> new Repeat(verdict.reason());
            case NO_QUERY -> new UnknownQuery();
            case LEASE_GONE -> refusal == null ? new Rejected(verdict.reason(), true) : new Rejected(refusal, false);
            case NO_PARTITION, LEASED, STALE -> new Rejected(verdict.reason(), false);
        };
    }
}
