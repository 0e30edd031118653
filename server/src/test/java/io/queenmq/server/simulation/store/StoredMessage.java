package io.queenmq.server.simulation.store;

import java.util.UUID;

/**
 * A message as it was stored, for ever.
 *
 * @param acceptedAt when it was accepted, in microseconds: before createdAt where it was in a spool
 */
public record StoredMessage(UUID laneId, String queue, String lane, long offset, UUID messageId, String transactionId,
        long createdAt, long acceptedAt) {}
