package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;

/**
 * The totals of all objects, as last counted.
 *
 * @param partitions partitions of all queues
 * @param oldestUnread the time since the oldest unread message of any group that is not paused was due
 * @param refused messages whose push was rejected in the last five minutes
 */
public record Overview(long queues, long partitions, long namespaces, long tasks, MessageCounts messages,
        Duration oldestUnread, double pushedPerSecond, double ackedPerSecond, long refused) {
    static Overview read(JsonNode node) {
        JsonNode throughput = node.get("throughput");
        return new Overview(node.get("queues").number(), node.get("partitions").number(),
                node.get("namespaces").number(), node.get("tasks").number(), MessageCounts.read(node.get("messages")),
                Duration.ofSeconds(node.get("oldestUnreadSeconds").number()),
                Double.parseDouble(throughput.get("ingestedPerSecond").text("0")),
                Double.parseDouble(throughput.get("processedPerSecond").text("0")), node.get("pushRefused").number());
    }
}
