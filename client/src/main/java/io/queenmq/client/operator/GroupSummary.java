package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group and one queue that it reads.
 *
 * @param state {@code Stable} or {@code Lagging} with consumers, {@code Idle} or {@code Dead} without; the second of
 *     each pair if a message has been due for more than five minutes. {@code Paused} if deliveries are paused
 * @param consumers waiting pops and active leases on all servers; a consumer whose last pop was a moment ago counts,
 *     too
 * @param members the number of partitions that it reads
 * @param totalLag the number of unfinished messages
 * @param oldestUnread the time since the oldest unfinished message was due
 * @param isPaused true if the group itself is paused; a paused queue appears in the state only
 * @param subscriptionAt the start time of the subscription; null for the beginning
 */
public record GroupSummary(String name, String queue, String state, long consumers, long members,
        long partitionsWithLag, long totalLag, Duration oldestUnread, boolean isPaused,
        @Nullable String subscriptionMode, @Nullable Instant subscriptionAt) {}
