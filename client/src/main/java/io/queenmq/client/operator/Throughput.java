package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;

/**
 * What happened in a span of time.
 *
 * @param at when it began
 * @param delivered how many messages were handed out, some more than once
 * @param averageLag how long messages had waited when they were handed out
 */
public record Throughput(Instant at, long pushed, long delivered, long acked, long failed, long deadLettered,
        Duration averageLag, Duration maxLag) {
    static Throughput read(JsonNode node) {
        return new Throughput(node.get("timestamp").moment(), node.get("ingested").number(),
                node.get("popMessages").number(), node.get("processed").number(), node.get("ackFailed").number(),
                node.get("dlqCount").number(), Duration.ofMillis(node.get("avgLagMs").number()),
                Duration.ofMillis(node.get("maxLagMs").number()));
    }
}
