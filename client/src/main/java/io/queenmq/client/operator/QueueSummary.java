package io.queenmq.client.operator;

import java.time.Instant;

/**
 * A queue in a list.
 *
 * @param partitions the number of partitions
 * @param pending unread messages
 * @param processing leased messages
 * @param maxSize the maximum number of unfinished messages; 0 for no limit
 */
public record QueueSummary(String id, String name, String namespace, String task, Instant createdAt, long partitions,
        long total, long pending, long processing, boolean isPaused, long maxSize) {
    /** Returns true if pushes are rejected because maxSize is reached. */
    public boolean isFull() {
        return maxSize > 0 && pending + processing >= maxSize;
    }
}
