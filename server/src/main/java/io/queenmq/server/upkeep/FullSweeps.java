package io.queenmq.server.upkeep;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Decides when all values of a queue have to be read again to find their keys. Another server may have run upkeep before, so the
 * first time is due at once. Owned by the upkeep thread.
 */
final class FullSweeps {
    private static final Duration EVERY = Duration.ofHours(1);

    private final Map<Place, Long> dueNs = new HashMap<>();

    /** A queue in a shard. */
    record Place(UUID queueId, String shard) {}

    boolean isDue(Place place, long nowNs) {
        return nowNs - dueNs.getOrDefault(place, nowNs) >= 0;
    }

    /**
     * Must be called when all values were read.
     *
     * @param startedNs the time at which the pass began
     * @param areLeft true if some values are still to be encrypted again: the next pass reads all values once more
     */
    void ended(Place place, long startedNs, boolean areLeft) {
        dueNs.put(place, startedNs + (areLeft ? 0 : EVERY.toNanos()));
    }
}
