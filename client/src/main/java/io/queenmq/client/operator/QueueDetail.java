package io.queenmq.client.operator;

import io.queenmq.client.wire.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * A queue and its configuration.
 *
 * @param options all options
 * @param pausedGroups the paused groups of the queue
 * @param messages as last counted if the queue has a thousand partitions or more
 */
public record QueueDetail(String id, String name, String namespace, String task, Instant createdAt, boolean isPaused,
        List<String> pausedGroups, QueueOptions options, MessageCounts messages) {
    public QueueDetail {
        pausedGroups = List.copyOf(pausedGroups);
    }

    static QueueDetail read(JsonNode node) {
        return new QueueDetail(node.get("id").string(), node.get("name").string(), node.get("namespace").string(),
                node.get("task").string(), node.get("createdAt").moment(), node.get("paused").bool(),
                node.get("pausedGroups").list().stream().map(JsonNode::string).toList(),
                QueueOptions.read(node.get("options")), MessageCounts.read(node.get("totals")));
    }
}
