package io.queenmq.client.operator;

import java.time.Instant;

/**
 * A queue in the list of all.
 *
 * @param partitions how many lanes it has
 * @param pending messages that wait
 * @param processing messages that are leased
 */
public record QueueSummary(String id, String name, String namespace, String task, Instant createdAt, long partitions,
        long total, long pending, long processing, boolean isPaused) {}
