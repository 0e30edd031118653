package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A stored message, without its payload. */
public record MessageSummary(String id, String transactionId, String partitionId, String queue, String partition,
        String status, @Nullable String traceId, @Nullable String producerSub, Instant createdAt) {}
