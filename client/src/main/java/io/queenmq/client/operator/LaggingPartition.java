package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A partition in which a group is behind.
 *
 * @param oldestUnread for how long the first unread message has been due
 * @param oldestUnconsumedAt when that message came
 */
public record LaggingPartition(String group, String queue, String partition, String partitionId, long offsetLag,
        Duration oldestUnread, @Nullable Instant oldestUnconsumedAt) {}
