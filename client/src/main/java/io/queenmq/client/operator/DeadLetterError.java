package io.queenmq.client.operator;

import java.time.Instant;

/** What went wrong, and how often. */
public record DeadLetterError(String error, long count, String queue, String group, Instant firstFailedAt,
        Instant lastFailedAt) {}
