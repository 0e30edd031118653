package io.queenmq.engine.spool;

import java.util.Arrays;

/**
 * Counts the entries of each partition in the spool, in a fixed amount of memory. Partitions share slots, so a
 * partition without entries may appear to have some. A partition with entries never appears to have none. Owned by the
 * engine loop.
 */
final class PartitionCounts {
    private static final int SLOTS = 1 << 18;

    private final int[] counts = new int[SLOTS];

    void add(String queue, String partition) {
        counts[slotOf(queue, partition)]++;
    }

    void remove(String queue, String partition) {
        counts[slotOf(queue, partition)]--;
    }

    boolean mayHave(String queue, String partition) {
        return counts[slotOf(queue, partition)] > 0;
    }

    void clear() {
        Arrays.fill(counts, 0);
    }

    private static int slotOf(String queue, String partition) {
        int hash = queue.hashCode() * 31 + partition.hashCode();
        hash *= 0x9e3779b9;
        return hash >>> 32 - 18;
    }
}
