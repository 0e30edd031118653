package io.queenmq.server.simulation.store;

import java.util.UUID;

/** A message a group gave up on: a row of queen.dead_letter. */
public record DeadLetter(UUID laneId, String group, long offset, UUID queueId, String lane, String transactionId,
        String line, String error, int attempts, long createdAt, long failedAt) {}
