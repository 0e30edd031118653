package io.queenmq.client;

import java.time.Duration;

/**
 * The number of partitions that a worker pops from at a time. If partitions contain few messages, a pop should fetch
 * from many of them, because the round trip dominates. If a partition fills the batch, or handlers are slow, further
 * partitions would only wait for this worker while others are idle. The number is doubled after a pop that received
 * less than a batch from all requested partitions and was handled quickly, and halved after one that took long. Not
 * thread-safe.
 */
final class PartitionsPerPop {
    static final int PARTITIONS_MAX = 100;

    /** The maximum time that partitions should wait for this worker. */
    private static final long LONG_NS = Duration.ofMillis(100).toNanos();

    private final boolean isFixed;
    private int partitions;

    /** @param fixed the fixed number of partitions; 0 for adaptive */
    PartitionsPerPop(int fixed) {
        this.isFixed = fixed > 0;
        this.partitions = isFixed ? fixed : 1;
    }

    int partitions() {
        return partitions;
    }

    /** @param handledNs the time that handling the messages took */
    void adapt(int messagesWanted, int messagesReceived, int partitionsReceived, long handledNs) {
        if (isFixed || messagesReceived == 0) {
            return;
        }
        if (handledNs > LONG_NS) {
            partitions = Math.max(1, Math.min(partitions, partitionsReceived) / 2);
        } else if (messagesReceived >= messagesWanted) {
            partitions = Math.min(partitions, partitionsReceived);
        } else if (partitionsReceived >= partitions && handledNs <= LONG_NS / 2) {
            partitions = Math.min(PARTITIONS_MAX, partitions * 2);
        }
    }
}
