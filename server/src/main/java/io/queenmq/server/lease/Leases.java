package io.queenmq.server.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The leases this server gave and which messages each covers, so that an ack finds its offset without asking the
 * database. Only memory: a lease that is not here is asked for. Owned by the engine loop.
 */
public final class Leases {
    private final Map<UUID, Map<UUID, LeasedRange>> byId = new HashMap<>();

    public void add(UUID leaseId, UUID partitionId, LeasedRange range) {
        byId.computeIfAbsent(leaseId, _ -> new HashMap<>(2)).put(partitionId, range);
    }

    /** What the lease covers of that lane, or null when this server does not know. */
    public LeasedRange find(UUID leaseId, UUID partitionId) {
        Map<UUID, LeasedRange> lanes = byId.get(leaseId);
        return lanes == null ? null : lanes.get(partitionId);
    }

    /** Forgets leases that ran out: whoever still asks for one gets its answer from the database. */
    public void forgetOverdue(long nowNs) {
        byId.values().forEach(lanes -> lanes.values().removeIf(range -> range.untilNs() - nowNs < 0));
        byId.values().removeIf(Map::isEmpty);
    }

    public void remove(UUID leaseId, UUID partitionId) {
        Map<UUID, LeasedRange> lanes = byId.get(leaseId);
        if (lanes != null) {
            lanes.remove(partitionId);
            if (lanes.isEmpty()) {
                byId.remove(leaseId);
            }
        }
    }

    /** The lanes the lease covers; empty when this server did not give it. */
    public Map<UUID, LeasedRange> lanesOf(UUID leaseId) {
        return byId.getOrDefault(leaseId, Map.of());
    }

    public int count() {
        return byId.size();
    }
}
