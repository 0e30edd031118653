package io.queenmq.client.operator;

import java.time.Instant;

/**
 * A queue in a list.
 *
 * @param partitions the number of partitions
 * @param pending unread messages
 * @param processing leased messages
 * @param deadLetters stored dead letters
 * @param consumers waiting pops and leases, over all groups and servers
 * @param pushedPerSecond stored messages per second in the last full minute
 * @param ackedPerSecond acknowledged messages per second in the last full minute
 * @param maxSize the maximum number of unfinished messages; 0 for no limit
 */
public record QueueSummary(String id, String name, String namespace, String task, Instant createdAt, long partitions,
        long total, long pending, long processing, long deadLetters, long consumers, double pushedPerSecond,
        double ackedPerSecond, boolean isPaused, long maxSize) {
    /** Returns true if pushes are rejected because maxSize is reached. */
    public boolean isFull() {
        return maxSize > 0 && pending + processing >= maxSize;
    }
}
