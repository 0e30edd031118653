package io.queenmq.engine.simulation.store;

import java.util.UUID;

/**
 * One lease of a partition for a group, and its duration.
 *
 * @param first the first leased offset; with end, the range
 * @param holes offsets in the range that were not delivered
 * @param until its expiry; null if the messages were finished by their delivery
 * @param endedAt its end; null until then, also after an expiry that was not detected yet
 * @param how the way in which it ended; null until then
 */
public record LeaseSpan(UUID partitionId, String group, UUID leaseId, long first, long end, Ranges holes, long givenAt,
        Long until, Long endedAt, LeaseEnd how) {
    /** Returns true if the message was delivered under this lease. */
    public boolean covers(long offset) {
        return offset >= first && offset < end && !holes.contains(offset);
    }
}
