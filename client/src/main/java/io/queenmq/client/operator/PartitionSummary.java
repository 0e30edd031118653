package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A partition with the state of the requested group, or of its slowest one.
 *
 * @param head the next offset to be assigned
 * @param tail the first offset that is still stored
 * @param group null if only consumers without a group read it
 * @param state as in {@link Explanation}
 * @param offsetLag the number of unfinished messages of the group
 * @param oldestUnread the time since the first of them was due
 * @param leaseId the active lease; null for none
 */
public record PartitionSummary(String partitionId, String queue, String partition, long head, long tail,
        @Nullable String group, String state, @Nullable Instant until, long offset, long offsetLag,
        Duration oldestUnread, @Nullable String leaseId, @Nullable Instant leaseExpiresAt, int attempts,
        @Nullable String error, boolean isPaused) {
    private static final String NO_GROUP = "__QUEUE_MODE__";

    static PartitionSummary read(JsonNode node) {
        @Nullable
        String group = node.get("consumerGroup").string();
        return new PartitionSummary(node.get("partitionId").string(), node.get("queue").string(),
                node.get("partition").string(), node.get("head").number(), node.get("tail").number(),
                NO_GROUP.equals(group) ? null : group, node.get("state").string(), node.get("until").instant(),
                node.get("offset").number(), node.get("offsetLag").number(),
                Duration.ofSeconds(node.get("timeLagSeconds").number()), node.get("leaseId").text(),
                node.get("leaseExpiresAt").instant(), (int) node.get("attempts").number(), node.get("error").text(),
                node.get("paused").bool());
    }
}
