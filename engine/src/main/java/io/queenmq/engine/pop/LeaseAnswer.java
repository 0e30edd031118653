package io.queenmq.engine.pop;

import org.jspecify.annotations.Nullable;

/**
 * The result of the routine lease for one partition.
 *
 * @param untilMs the time until the partition can be leased, or until the new lease expires
 * @param range the leased offsets; empty unless the status is LEASED; null if the routine returned no row
 */
record LeaseAnswer(LeaseStatus status, long head, long untilMs, Grant.@Nullable Range range) {
    /** The routine returned no row: the cursor does not exist, or another transaction locks it. */
    static final LeaseAnswer NONE = new LeaseAnswer(LeaseStatus.ABSENT, 0, 0, null);

    /** Another pop of the same call requests the partition. */
    static final LeaseAnswer SPARED = new LeaseAnswer(LeaseStatus.SPARED, 0, 0, null);
}
