package io.queenmq.server.renew;

import java.time.OffsetDateTime;

/** The answer to a renewal. */
public sealed interface RenewOutcome {
    /** The lease lasts until then, by the database's clock. */
    record Renewed(OffsetDateTime untilAt) implements RenewOutcome {}

    /** There is no such lease any more; it cannot come back. */
    record Gone() implements RenewOutcome {}
}
