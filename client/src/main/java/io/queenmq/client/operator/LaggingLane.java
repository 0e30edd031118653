package io.queenmq.client.operator;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lane in which a group is behind. */
public record LaggingLane(String group, String queue, String partition, String partitionId, long offsetLag,
        Duration timeLag, @Nullable Instant oldestUnconsumedAt) {}
