package io.queenmq.client;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.wire.Names;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to push. Immutable.
 *
 * @param partition null for the partition of the view, or the partition {@code Default}
 * @param transactionId a partition stores each id once; null for one that the client generates
 * @param traceId null for none
 * @param headers strings for consumers beside the payload; the server accepts 64 with 4 KiB in all and keeps their
 *     order
 */
public record Message<T extends @Nullable Object>(T value, @Nullable String partition, @Nullable String transactionId,
        @Nullable UUID traceId, Map<String, String> headers) {
    public Message {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        headers.forEach((header, text) -> {
            requireNonNull(header, "the name of a header");
            requireNonNull(text, header);
        });
        if (value instanceof Message) {
            throw new IllegalArgumentException("a message cannot be the payload of a message");
        }
        if (partition != null) {
            Names.require(partition, "partition");
        }
        if (transactionId != null) {
            Names.require(transactionId, "transactionId");
        }
    }

    public static <T extends @Nullable Object> Message<T> of(T value) {
        return new Message<>(value, null, null, null, Map.of());
    }

    /** Returns the value if it is a message, otherwise a message with this payload. */
    public static Message<?> from(@Nullable Object value) {
        return value instanceof Message<?> message
                ? message
                : new Message<@Nullable Object>(value, null, null, null, Map.of());
    }

    public Message<T> partition(@Nullable String partition) {
        return new Message<>(value, partition, transactionId, traceId, headers);
    }

    /**
     * Sets the transactionId, which identifies the message permanently, such as the number of an order. A second push
     * with the same id is a duplicate.
     */
    public Message<T> transactionId(@Nullable String transactionId) {
        return new Message<>(value, partition, transactionId, traceId, headers);
    }

    public Message<T> traceId(@Nullable UUID traceId) {
        return new Message<>(value, partition, transactionId, traceId, headers);
    }

    /** Replaces all headers. */
    public Message<T> headers(Map<String, String> headers) {
        return new Message<>(value, partition, transactionId, traceId, headers);
    }

    /** Adds a header. */
    public Message<T> header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return headers(more);
    }
}
