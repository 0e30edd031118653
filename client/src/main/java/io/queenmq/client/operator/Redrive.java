package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters on their way back.
 *
 * @param failed how many could not be stored and stay dead letters
 */
public record Redrive(String id, String status, long total, long redriven, long failed, @Nullable String lastError,
        Instant createdAt, @Nullable Instant finishedAt) {
    public boolean isRunning() {
        return status.equals("running");
    }

    static Redrive read(JsonNode node) {
        return new Redrive(node.get("id").string(), node.get("status").string(), node.get("total").number(),
                node.get("redriven").number(), node.get("failed").number(), node.get("lastError").text(),
                node.get("createdAt").moment(), node.get("finishedAt").instant());
    }
}
