package io.queenmq.client.operator;

import java.time.Instant;

/**
 * A queue in the list of all.
 *
 * @param partitions how many partitions it has
 * @param pending messages that wait
 * @param processing messages that are leased
 * @param maxSize how many unfinished messages it takes; 0 for any number
 */
public record QueueSummary(String id, String name, String namespace, String task, Instant createdAt, long partitions,
        long total, long pending, long processing, boolean isPaused, long maxSize) {
    /** Whether it takes no more, because as many messages are unfinished as its maxSize allows. */
    public boolean isFull() {
        return maxSize > 0 && pending + processing >= maxSize;
    }
}
