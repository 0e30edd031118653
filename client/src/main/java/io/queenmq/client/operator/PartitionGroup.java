package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a group in one partition.
 *
 * @param group {@code __QUEUE_MODE__} for consumers without a group
 * @param state as in {@link Explanation}
 * @param offset the first unfinished offset
 * @param offsetLag the number of unfinished messages
 * @param oldestUnread the time since the first of them was due
 * @param leaseId the active lease; null for none
 */
public record PartitionGroup(String group, String state, @Nullable Instant until, long offset, long offsetLag,
        Duration oldestUnread, @Nullable String leaseId, @Nullable Instant leaseExpiresAt, int attempts,
        @Nullable String error, long totalConsumed, long totalDeadLettered, long totalSkipped) {
    static PartitionGroup read(JsonNode node) {
        return new PartitionGroup(node.get("consumerGroup").string(), node.get("state").string(),
                node.get("until").instant(), node.get("offset").number(), node.get("offsetLag").number(),
                Duration.ofSeconds(node.get("timeLagSeconds").number()), node.get("leaseId").text(),
                node.get("leaseExpiresAt").instant(), (int) node.get("attempts").number(), node.get("error").text(),
                node.get("totalConsumed").number(), node.get("totalDeadLettered").number(),
                node.get("totalSkipped").number());
    }
}
