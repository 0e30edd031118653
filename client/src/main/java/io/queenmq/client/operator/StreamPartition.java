package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a stream query has done in one partition.
 *
 * @param unread messages its group has not finished
 * @param leasedUntil until when a runner holds the partition; null when none does
 * @param idleExpiries leases that expired since the last progress, after state was read and without a cycle
 * @param idleSince when the first of these leases expired; null when none did
 */
public record StreamPartition(String partitionId, String partition, long stateRows, long stateBytes, long cycles,
        long flushes, long messages, long emitted, @Nullable Instant lastCycleAt, long unread,
        @Nullable Instant leasedUntil, long idleExpiries, @Nullable Instant idleSince) {}
