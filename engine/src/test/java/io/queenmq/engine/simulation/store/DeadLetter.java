package io.queenmq.engine.simulation.store;

import java.util.UUID;

/** A row of queen.dead_letter. */
public record DeadLetter(UUID partitionId, String group, long offset, UUID queueId, String partition,
        String transactionId, String line, String error, int attempts, long createdAt, long failedAt) {}
