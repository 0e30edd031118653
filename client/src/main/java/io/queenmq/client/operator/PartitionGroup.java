package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a group stands in one partition.
 *
 * @param group {@code __QUEUE_MODE__} for those without one
 * @param state as in {@link Explanation}
 * @param offset the first it has not finished
 * @param offsetLag messages it has not finished
 * @param oldestUnread for how long the first of them has been due
 * @param leaseId who holds the partition; null for nobody
 */
public record PartitionGroup(String group, String state, @Nullable Instant until, long offset, long offsetLag,
        Duration oldestUnread,
        @Nullable String leaseId, @Nullable Instant leaseExpiresAt, int attempts, @Nullable String error,
        long totalConsumed, long totalDeadLettered,
        long totalSkipped) {
    static PartitionGroup read(JsonNode node) {
        return new PartitionGroup(node.get("consumerGroup").string(), node.get("state").string(),
                node.get("until").instant(),
                node.get("offset").number(), node.get("offsetLag").number(),
                Duration.ofSeconds(node.get("timeLagSeconds").number()), node.get("leaseId").text(),
                node.get("leaseExpiresAt").instant(), (int) node.get("attempts").number(), node.get("error").text(),
                node.get("totalConsumed").number(), node.get("totalDeadLettered").number(),
                node.get("totalSkipped").number());
    }
}
