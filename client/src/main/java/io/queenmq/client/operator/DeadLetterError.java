package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An error of dead letters and its frequency. */
public record DeadLetterError(@Nullable String error, long count, String queue, String group, Instant firstFailedAt,
        Instant lastFailedAt) {}
