package io.queenmq.client;

import java.time.Duration;

/**
 * From how many partitions a worker fetches at a time. Where partitions hold little, each request should bring many of them, or the way
 * to the server is all that counts. Where a partition fills the batch by itself, or handlers take their time, more partitions would only
 * wait here while other workers have nothing to do. So it follows from what came: twice as many partitions when all that were asked
 * for did not fill the batch and were handled in no time, half as many when they took long. For one thread.
 */
final class PartitionAppetite {
    static final int PARTITIONS_MAX = 100;

    /** Partitions should not wait here for longer than this. */
    private static final long LONG_NS = Duration.ofMillis(100).toNanos();

    private final boolean isFixed;
    private int partitions;

    /** @param fixed how many partitions it always is; 0 to learn */
    PartitionAppetite(int fixed) {
        this.isFixed = fixed > 0;
        this.partitions = isFixed ? fixed : 1;
    }

    int partitions() {
        return partitions;
    }

    /** @param handledNs how long it took to handle what came */
    void learn(int messagesWanted, int messagesCame, int partitionsCame, long handledNs) {
        if (isFixed || messagesCame == 0) {
            return;
        }
        if (handledNs > LONG_NS) {
            partitions = Math.max(1, Math.min(partitions, partitionsCame) / 2);
        } else if (messagesCame >= messagesWanted) {
            partitions = Math.min(partitions, partitionsCame);
        } else if (partitionsCame >= partitions && handledNs <= LONG_NS / 2) {
            partitions = Math.min(PARTITIONS_MAX, partitions * 2);
        }
    }
}
