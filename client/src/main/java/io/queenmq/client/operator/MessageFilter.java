package io.queenmq.client.operator;

import io.queenmq.client.wire.Names;
import java.time.Instant;

/**
 * Which messages or dead letters to list. Immutable; null stands for any.
 *
 * @param status {@code pending}, {@code processing}, {@code completed} or {@code dead_letter}; not for dead letters
 * @param group for dead letters only
 */
public record MessageFilter(String queue, String partition, String group, String status, Instant from, Instant to,
        int limit, int offset) {
    /** The newest hundred. */
    public static MessageFilter any() {
        return new MessageFilter(null, null, null, null, null, null, 100, 0);
    }

    public MessageFilter queue(String queue) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    public MessageFilter partition(String partition) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    public MessageFilter group(String group) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    public MessageFilter status(String status) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    public MessageFilter between(Instant from, Instant to) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    public MessageFilter page(int limit, int offset) {
        return new MessageFilter(queue, partition, group, status, from, to, limit, offset);
    }

    String query() {
        StringBuilder query = new StringBuilder("?limit=").append(limit).append("&offset=").append(offset);
        add(query, "queue", queue);
        add(query, "partition", partition);
        add(query, "consumerGroup", group);
        add(query, "status", status);
        add(query, "from", from);
        add(query, "to", to);
        return query.toString();
    }

    private static void add(StringBuilder query, String name, Object value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(Names.encode(value.toString()));
        }
    }
}
