package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a stream query in one partition.
 *
 * @param unread the number of unfinished messages of its group
 * @param leasedUntil when the lease of a runner ends; null for none
 * @param idleExpiries leases that expired since the last progress, after state was read and without a cycle
 * @param idleSince when the first of these leases expired; null for none
 */
public record StreamPartition(String partitionId, String partition, long stateRows, long stateBytes, long cycles,
        long flushes, long messages, long emitted, @Nullable Instant lastCycleAt, long unread,
        @Nullable Instant leasedUntil, long idleExpiries, @Nullable Instant idleSince) {}
