package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A dead-lettered message of a group.
 *
 * @param error the last error
 * @param reason why it was dead-lettered: {@code retry_limit}, {@code lease_expired}, {@code consumer}, {@code expired}
 *     or {@code operator}; null if an earlier release dead-lettered it
 * @param payload one JSON value
 */
public record DeadLetter(String id, String transactionId, String partitionId, String queue, String partition,
        String group, @Nullable String error, @Nullable String reason, int retryCount, Map<String, String> headers,
        String payload, Instant createdAt, Instant failedAt) {
    static DeadLetter read(JsonNode node) {
        return new DeadLetter(node.get("id").string(), node.get("transactionId").string(),
                node.get("partitionId").string(), node.get("queue").string(), node.get("partition").string(),
                node.get("consumerGroup").string(), node.get("errorMessage").text(), node.get("reason").text(),
                (int) node.get("retryCount").number(), node.get("headers").strings(), node.get("data").toString(),
                node.get("createdAt").moment(), node.get("failedAt").moment());
    }
}
