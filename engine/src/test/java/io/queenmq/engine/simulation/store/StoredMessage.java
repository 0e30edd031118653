package io.queenmq.engine.simulation.store;

import java.util.UUID;

/**
 * A message as it was stored; kept forever.
 *
 * @param acceptedAt its acceptance time in microseconds; before createdAt if it was spooled
 */
public record StoredMessage(UUID partitionId, String queue, String partition, long offset, UUID messageId,
        String transactionId, long createdAt, long acceptedAt) {}
