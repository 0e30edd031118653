package io.queenmq.engine.command;

import java.util.UUID;

/** A message that the spool accepted and that PostgreSQL has refused. */
public record RefusedMessage(UUID messageId, String queue, String partition, String transactionId,
        long acceptedAtMicros, String reason, int bytes) {}
