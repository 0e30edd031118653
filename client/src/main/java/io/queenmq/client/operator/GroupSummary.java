package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group and one queue it reads.
 *
 * @param members lanes it has begun to read
 * @param totalLag messages it has not finished
 * @param maxTimeLag how old the oldest message is that it has not read
 * @param state {@code Stable}, {@code Lagging} or {@code Dead}
 * @param subscriptionAt from when on it reads; null for the beginning
 */
public record GroupSummary(String name, String queue, long members, long partitionsWithLag, long totalLag,
        Duration maxTimeLag, String state, boolean isPaused, @Nullable String subscriptionMode,
        @Nullable Instant subscriptionAt) {}
