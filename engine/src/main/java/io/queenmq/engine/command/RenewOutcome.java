package io.queenmq.engine.command;

import java.time.OffsetDateTime;

/** The answer to a renewal. */
public sealed interface RenewOutcome {
    /** The lease lasts until then, by the database's clock. */
    record Renewed(OffsetDateTime untilAt) implements RenewOutcome {}

    /**
     * There is no such lease any more; it cannot come back.
     *
     * @param reason in words for whoever held it
     */
    record Gone(String reason) implements RenewOutcome {
        public static final Gone WITHOUT_A_TRACE = new Gone("there is no such lease any more");
    }
}
