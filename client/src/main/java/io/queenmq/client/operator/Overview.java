package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Duration;

/**
 * How much there is of everything, as last counted.
 *
 * @param partitions lanes, over all queues
 * @param refused messages that were pushed and not taken in the last five minutes
 * @param maxTimeLag how long the oldest message waits that some group has not read
 */
public record Overview(long queues, long partitions, long namespaces, long tasks, MessageCounts messages,
        Duration maxTimeLag, double pushedPerSecond, double ackedPerSecond, long refused) {
    static Overview read(JsonNode node) {
        JsonNode throughput = node.get("throughput");
        return new Overview(node.get("queues").number(), node.get("partitions").number(),
                node.get("namespaces").number(), node.get("tasks").number(), MessageCounts.read(node.get("messages")),
                Duration.ofSeconds(node.get("lag").get("time").get("max").number()),
                Double.parseDouble(throughput.get("ingestedPerSecond").text("0")),
                Double.parseDouble(throughput.get("processedPerSecond").text("0")),
                node.get("pushRefused").number());
    }
}
