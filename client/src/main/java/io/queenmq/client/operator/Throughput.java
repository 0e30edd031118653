package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What happened in a span of time.
 *
 * @param at when it began
 * @param delivered how many messages were handed out, some more than once
 * @param averageDeliveryAge how long messages had waited when they were handed out
 * @param oldestUnread for how long the oldest unread message had been due, at most
 * @param refused how many messages were pushed and not taken, by reason, such as {@code full} or {@code encryption}
 */
public record Throughput(Instant at, long pushed, long delivered, long acked, long failed, long deadLettered,
        Duration averageDeliveryAge, Duration maxDeliveryAge, Duration oldestUnread, Map<String, Long> refused) {
    public Throughput {
        refused = Map.copyOf(refused);
    }

    static Throughput read(JsonNode node) {
        return new Throughput(node.get("timestamp").moment(), node.get("ingested").number(),
                node.get("popMessages").number(), node.get("processed").number(), node.get("ackFailed").number(),
                node.get("dlqCount").number(), Duration.ofMillis(node.get("avgLagMs").number()),
                Duration.ofMillis(node.get("maxLagMs").number()),
                Duration.ofSeconds(node.get("oldestUnreadSeconds").number()),
                node.get("pushRefusedReasons").fields().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, reason -> reason.getValue().number())));
    }

    /** How many messages were pushed and not taken, for whatever reason. */
    public long refusedCount() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }
}
