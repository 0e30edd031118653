package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;

/**
 * A message a group has given up on.
 *
 * @param payload one JSON value
 */
public record DeadLetter(String id, String transactionId, String partitionId, String queue, String partition,
        String group, String error, int retryCount, String payload, Instant createdAt, Instant failedAt) {
    static DeadLetter read(JsonNode node) {
        return new DeadLetter(node.get("id").text(), node.get("transactionId").text(), node.get("partitionId").text(),
                node.get("queue").text(), node.get("partition").text(), node.get("consumerGroup").text(),
                node.get("errorMessage").text(), (int) node.get("retryCount").number(), node.get("data").toString(),
                node.get("createdAt").instant(), node.get("failedAt").instant());
    }
}
