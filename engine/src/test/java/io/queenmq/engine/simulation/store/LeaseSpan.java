package io.queenmq.engine.simulation.store;

import java.util.UUID;

/**
 * A partition held for a group by one lease, for a time.
 *
 * @param first the first offset handed out; with end, the range
 * @param holes offsets in the range that were not handed out
 * @param until when it would run out; null where the messages counted as finished at once
 * @param endedAt when it ended; null while it lasts, also when it has run out and nobody noticed
 * @param how null while it lasts
 */
public record LeaseSpan(UUID partitionId, String group, UUID leaseId, long first, long end, Ranges holes, long givenAt,
        Long until, Long endedAt, LeaseEnd how) {
    /** Whether a message was handed out with it. */
    public boolean covers(long offset) {
        return offset >= first && offset < end && !holes.contains(offset);
    }
}
