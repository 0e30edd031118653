package io.queenmq.engine.simulation.store;

import java.util.UUID;

/**
 * A message as it was stored, for ever.
 *
 * @param acceptedAt when it was accepted, in microseconds: before createdAt where it was in a spool
 */
public record StoredMessage(UUID partitionId, String queue, String partition, long offset, UUID messageId,
        String transactionId,
        long createdAt, long acceptedAt) {}
