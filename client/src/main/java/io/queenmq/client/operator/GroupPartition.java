package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far a group is in one partition.
 *
 * @param offsetLag messages it has not finished
 * @param oldestUnread for how long the first of them has been due
 */
public record GroupPartition(String queue, String partition, @Nullable String leaseId, @Nullable Instant lastConsumedAt,
        long totalConsumed,
        long offsetLag, Duration oldestUnread, boolean isLeased) {}
