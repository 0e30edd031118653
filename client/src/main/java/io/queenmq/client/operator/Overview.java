package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;

/**
 * How much there is of everything, as last counted.
 *
 * @param partitions partitions, over all queues
 * @param oldestUnread for how long the oldest message has been due that some group has not read, of those that are not paused
 * @param refused messages that were pushed and not taken in the last five minutes
 */
public record Overview(long queues, long partitions, long namespaces, long tasks, MessageCounts messages,
        Duration oldestUnread, double pushedPerSecond, double ackedPerSecond, long refused) {
    static Overview read(JsonNode node) {
        JsonNode throughput = node.get("throughput");
        return new Overview(node.get("queues").number(), node.get("partitions").number(),
                node.get("namespaces").number(), node.get("tasks").number(), MessageCounts.read(node.get("messages")),
                Duration.ofSeconds(node.get("oldestUnreadSeconds").number()),
                Double.parseDouble(throughput.get("ingestedPerSecond").text("0")),
                Double.parseDouble(throughput.get("processedPerSecond").text("0")),
                node.get("pushRefused").number());
    }
}
