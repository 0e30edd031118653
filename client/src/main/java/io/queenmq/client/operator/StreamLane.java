package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a stream query has done in one lane.
 *
 * @param unread messages its group has not finished
 * @param leasedUntil until when a runner holds the lane; null when none does
 */
public record StreamLane(String partitionId, String partition, long stateRows, long stateBytes, long cycles,
        long flushes, long messages, long emitted, @Nullable Instant lastCycleAt, long unread,
        @Nullable Instant leasedUntil) {}
