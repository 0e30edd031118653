package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A redrive of dead letters.
 *
 * @param status as in the API, such as running, finished or failed
 * @param failed the number of messages that could not be stored and stay dead letters
 * @param lastError why the last of those could not be stored, or why the redrive waits or has failed; null if there was
 *     no error
 * @param waitingFor why a running redrive waits; null if it does not
 */
public record Redrive(String id, String status, long total, long redriven, long failed, @Nullable String lastError,
        @Nullable String waitingFor, Instant createdAt, @Nullable Instant finishedAt) {
    public boolean isRunning() {
        return status.equals("running");
    }

    /** Returns true if the redrive failed; messages that it did not process are still dead letters. */
    public boolean hasFailed() {
        return status.equals("failed");
    }

    static Redrive read(JsonNode node) {
        return new Redrive(node.get("id").string(), node.get("status").string(), node.get("total").number(),
                node.get("redriven").number(), node.get("failed").number(), node.get("lastError").text(),
                node.get("waitingFor").text(), node.get("createdAt").moment(), node.get("finishedAt").instant());
    }
}
