package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters on their way back.
 *
 * @param status running, finished, cancelled, or failed: it could not go on
 * @param failed how many could not be stored and stay dead letters
 * @param lastError why the last of those could not be stored, or why the redrive waits or has failed; null when all is well
 * @param waitingFor why it does not go on at this moment, though it is running; null while it does
 */
public record Redrive(String id, String status, long total, long redriven, long failed, @Nullable String lastError,
        @Nullable String waitingFor, Instant createdAt, @Nullable Instant finishedAt) {
    public boolean isRunning() {
        return status.equals("running");
    }

    /** Whether it ended because it could not go on; what it has not tried are dead letters still. */
    public boolean hasFailed() {
        return status.equals("failed");
    }

    static Redrive read(JsonNode node) {
        return new Redrive(node.get("id").string(), node.get("status").string(), node.get("total").number(),
                node.get("redriven").number(), node.get("failed").number(), node.get("lastError").text(),
                node.get("waitingFor").text(),
                node.get("createdAt").moment(), node.get("finishedAt").instant());
    }
}
