package io.queenmq.client.operator;

import java.time.Instant;

/**
 * A message a group has given up on.
 *
 * @param payload one JSON value
 */
public record DeadLetter(String id, String transactionId, String partitionId, String queue, String partition,
        String group, String error, int retryCount, String payload, Instant createdAt, Instant failedAt) {}
