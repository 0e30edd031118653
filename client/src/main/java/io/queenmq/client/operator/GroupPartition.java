package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a group in one partition.
 *
 * @param offsetLag the number of unfinished messages
 * @param oldestUnread the time since the first of them was due
 */
public record GroupPartition(String queue, String partition, @Nullable String leaseId, @Nullable Instant lastConsumedAt,
        long totalConsumed, long offsetLag, Duration oldestUnread, boolean isLeased) {}
