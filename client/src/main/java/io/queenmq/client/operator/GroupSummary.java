package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group and one queue it reads.
 *
 * @param state {@code Stable} or {@code Lagging} when somebody consumes, {@code Idle} or {@code Dead} when nobody does; in each case the
 *     second word when something has been due for more than five minutes. {@code Paused} when nothing is handed out on purpose
 * @param consumers pops that wait and leases that are held, on all servers; somebody who popped a moment ago counts, too
 * @param members partitions it reads
 * @param totalLag messages it has not finished
 * @param oldestUnread for how long the oldest message it has not finished has been due
 * @param isPaused whether the group itself is paused; when its queue is, only the state says so
 * @param subscriptionAt from when on it reads; null for the beginning
 */
public record GroupSummary(String name, String queue, String state, long consumers, long members,
        long partitionsWithLag, long totalLag, Duration oldestUnread, boolean isPaused,
        @Nullable String subscriptionMode, @Nullable Instant subscriptionAt) {}
