package io.queenmq.client.operator;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored message without its payload.
 *
 * @param id empty, as is {@code transactionId}, if the server did not read the message because the page has too many
 *     bytes; request a smaller page
 */
public record MessageSummary(String id, String transactionId, String partitionId, String queue, String partition,
        String status, @Nullable String traceId, @Nullable String producerSub, Map<String, String> headers,
        Instant createdAt) {}
