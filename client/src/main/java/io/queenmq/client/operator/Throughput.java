package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The throughput of an interval.
 *
 * @param at the start of the interval
 * @param delivered the number of deliveries, including redeliveries
 * @param averageDeliveryAge the average age of messages at delivery
 * @param oldestUnread the maximum time since the oldest unread message was due
 * @param refused the number of messages whose push was rejected, by reason, such as {@code full} or {@code encryption}
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

    /** Returns the number of messages whose push was rejected, for any reason. */
    public long refusedCount() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }
}
