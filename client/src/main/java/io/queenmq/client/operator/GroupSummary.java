package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;

/**
 * A group and one queue it reads.
 *
 * @param members lanes it has begun to read
 * @param maxTimeLag how old the oldest message is that it has not read
 * @param state {@code Stable}, {@code Lagging} or {@code Dead}
 * @param subscriptionAt from when on it reads; null for the beginning
 */
public record GroupSummary(String name, String queue, long members, long partitionsWithLag, Duration maxTimeLag,
        String state, String subscriptionMode, Instant subscriptionAt) {}
