package io.queenmq.engine.lease;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * The leases this server gave and which messages each covers, so that an ack finds its offset without asking the
 * database. Only memory: a lease that is not here is asked for. Bounded, because consumers may acknowledge on another server
 * than they popped from, and a lease may last for a day: the oldest leases are forgotten first. Owned by the engine loop.
 */
public final class Leases {
    static final int PARTITIONS_MAX = 200_000;

    private final Map<UUID, Map<UUID, LeasedRange>> byId = new LinkedHashMap<>();
    private int partitions;

    public void add(UUID leaseId, UUID partitionId, LeasedRange range) {
        if (byId.computeIfAbsent(leaseId, _ -> new HashMap<>(2)).put(partitionId, range) == null) {
            partitions++;
        }
        for (Iterator<Map<UUID, LeasedRange>> oldest = byId.values().iterator(); partitions > PARTITIONS_MAX
                && byId.size() > 1;) {
            partitions -= oldest.next().size();
            oldest.remove();
        }
    }

    /** What the lease covers of that partition, or null when this server does not know. */
    public LeasedRange find(UUID leaseId, UUID partitionId) {
        Map<UUID, LeasedRange> ranges = byId.get(leaseId);
        return ranges == null ? null : ranges.get(partitionId);
    }

    /** Forgets leases that ran out: whoever still asks for one gets its answer from the database. */
    public void forgetOverdue(long nowNs) {
        byId.values().forEach(ranges -> ranges.values().removeIf(range -> range.untilNs() - nowNs < 0));
        byId.values().removeIf(Map::isEmpty);
        partitions = byId.values().stream().mapToInt(Map::size).sum();
    }

    /** Removes every lease: whether one of them exists in another history of the database is asked for. */
    public void clear() {
        byId.clear();
        partitions = 0;
    }

    public void remove(UUID leaseId, UUID partitionId) {
        Map<UUID, LeasedRange> ranges = byId.get(leaseId);
        if (ranges != null) {
            if (ranges.remove(partitionId) != null) {
                partitions--;
            }
            if (ranges.isEmpty()) {
                byId.remove(leaseId);
            }
        }
    }

    /** The partitions the lease covers; empty when this server did not give it. */
    public Map<UUID, LeasedRange> partitionsOf(UUID leaseId) {
        return byId.getOrDefault(leaseId, Map.of());
    }

    /** Calls with each lease and the partitions it covers. */
    public void forEach(BiConsumer<UUID, Map<UUID, LeasedRange>> action) {
        byId.forEach(action);
    }

    public int count() {
        return byId.size();
    }

    /** How many partitions they cover together. */
    public int partitionCount() {
        return partitions;
    }
}
