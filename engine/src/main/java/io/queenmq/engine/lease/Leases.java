package io.queenmq.engine.lease;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this server acquired, with the messages that each covers, so that an ack finds its offset without a query.
 * Only a cache: a lease that is missing here is looked up in the database. Bounded, because consumers may acknowledge on
 * another server than they popped from, and a lease may last for a day. The oldest leases are evicted first. Owned by the
 * engine loop.
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

    /** Returns the range of the partition that the lease covers; null if it is not cached. */
    public @Nullable LeasedRange find(UUID leaseId, UUID partitionId) {
        Map<UUID, LeasedRange> ranges = byId.get(leaseId);
        return ranges == null ? null : ranges.get(partitionId);
    }

    /** Removes expired leases. Requests that still use one are decided by the database. */
    public void removeExpired(long nowNs) {
        byId.values().forEach(ranges -> ranges.values().removeIf(range -> range.untilNs() - nowNs < 0));
        byId.values().removeIf(Map::isEmpty);
        partitions = byId.values().stream().mapToInt(Map::size).sum();
    }

    /** Removes every lease. After a change of the database history, leases must be looked up in the database. */
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

    /** Returns the ranges that the lease covers, by partition; empty if the lease is not cached. */
    public Map<UUID, LeasedRange> partitionsOf(UUID leaseId) {
        return byId.getOrDefault(leaseId, Map.of());
    }

    /** Calls the action with each lease and the ranges it covers, by partition. */
    public void forEach(BiConsumer<UUID, Map<UUID, LeasedRange>> action) {
        byId.forEach(action);
    }

    public int count() {
        return byId.size();
    }

    /** Returns the number of partitions that all leases cover together. */
    public int partitionCount() {
        return partitions;
    }
}
