package io.queenmq.engine.command;

import java.time.OffsetDateTime;

/** The outcome of a renewal. */
public sealed interface RenewOutcome {
    /** The lease ends at the given time, by the clock of the database. */
    record Renewed(OffsetDateTime untilAt) implements RenewOutcome {}

    /**
     * The lease has ended and cannot be renewed.
     *
     * @param reason the reason, as a text for the client
     */
    record Gone(String reason) implements RenewOutcome {
        public static final Gone UNKNOWN_LEASE = new Gone("there is no such lease any more");
    }
}
