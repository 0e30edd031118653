package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A partition, as the group that was asked for stands in it, or its slowest one.
 *
 * @param head the offset the next message will get
 * @param tail the first offset that is kept
 * @param group null when nobody but those without a group reads it
 * @param state as in {@link Explanation}
 * @param offsetLag messages the group has not finished
 * @param oldestUnread for how long the first of them has been due
 * @param leaseId who holds it; null for nobody
 */
public record PartitionSummary(String partitionId, String queue, String partition, long head, long tail,
        @Nullable String group,
        String state, @Nullable Instant until, long offset, long offsetLag, Duration oldestUnread,
        @Nullable String leaseId,
        @Nullable Instant leaseExpiresAt, int attempts, @Nullable String error, boolean isPaused) {
    private static final String NO_GROUP = "__QUEUE_MODE__";

    static PartitionSummary read(JsonNode node) {
        @Nullable
        String group = node.get("consumerGroup").string();
        return new PartitionSummary(node.get("partitionId").string(), node.get("queue").string(),
                node.get("partition").string(),
                node.get("head").number(), node.get("tail").number(), NO_GROUP.equals(group) ? null : group,
                node.get("state").string(), node.get("until").instant(), node.get("offset").number(),
                node.get("offsetLag").number(), Duration.ofSeconds(node.get("timeLagSeconds").number()),
                node.get("leaseId").text(), node.get("leaseExpiresAt").instant(), (int) node.get("attempts").number(),
                node.get("error").text(), node.get("paused").bool());
    }
}
