package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What went wrong, and how often. */
public record DeadLetterError(@Nullable String error, long count, String queue, String group, Instant firstFailedAt,
        Instant lastFailedAt) {}
