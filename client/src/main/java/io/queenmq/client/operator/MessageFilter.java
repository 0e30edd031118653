package io.queenmq.client.operator;

import io.queenmq.client.wire.Query;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selects messages or dead letters. Immutable; null matches any.
 *
 * @param status {@code pending}, {@code processing}, {@code completed} or {@code dead_letter}; not for dead letters
 * @param group for dead letters only
 * @param error a part of the error, ignoring case; for dead letters only
 */
public record MessageFilter(@Nullable String queue, @Nullable String partition, @Nullable String group,
        @Nullable String status, @Nullable String error, @Nullable Instant from, @Nullable Instant to, int limit,
        int offset) {
    /** The default limit. */
    public static MessageFilter any() {
        return new MessageFilter(null, null, null, null, null, null, null, 100, 0);
    }

    public MessageFilter queue(@Nullable String queue) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter partition(@Nullable String partition) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter group(@Nullable String group) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter status(@Nullable String status) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter error(@Nullable String error) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter between(@Nullable Instant from, @Nullable Instant to) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    public MessageFilter page(int limit, int offset) {
        return new MessageFilter(queue, partition, group, status, error, from, to, limit, offset);
    }

    String query() {
        return new Query().add("limit", limit).add("offset", offset).add("queue", queue).add("partition", partition)
                .add("consumerGroup", group).add("status", status).add("error", error).add("from", from).add("to", to)
                .toString();
    }
}
