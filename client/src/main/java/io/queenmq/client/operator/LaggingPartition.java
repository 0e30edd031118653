package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A partition in which a group lags.
 *
 * @param oldestUnread the time since the first unread message was due
 * @param oldestUnconsumedAt when that message was stored
 */
public record LaggingPartition(String group, String queue, String partition, String partitionId, long offsetLag,
        Duration oldestUnread, @Nullable Instant oldestUnconsumedAt) {}
