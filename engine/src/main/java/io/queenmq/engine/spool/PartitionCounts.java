package io.queenmq.engine.spool;

import java.util.Arrays;

/**
 * How many entries of each partition are in the spool, in a fixed amount of memory: partitions share slots. So a partition may be taken
 * for one that has something here though another one has, but never the other way round. Owned by the engine loop.
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
