package io.queenmq.client.operator;

import java.time.Instant;

/** A stored message, without its payload. */
public record MessageSummary(String id, String transactionId, String partitionId, String queue, String partition,
        String status, String traceId, String producerSub, Instant createdAt) {}
