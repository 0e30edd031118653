package io.queenmq.client.operator;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trace event of a message.
 *
 * @param data one JSON value
 */
public record TraceEvent(String id, String transactionId, String partitionId, String eventType, String data,
        @Nullable String group, Instant createdAt, List<String> names) {
    public TraceEvent {
        names = List.copyOf(names);
    }
}
