package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a stream query keeps under one key in one partition.
 *
 * @param value one JSON value; null when it is encrypted, or longer than 64 KiB
 * @param windowEnd when its window ends; null when it belongs to none
 * @param bytes of the value, as stored
 */
public record StreamState(String key, @Nullable String value, boolean isEncrypted, @Nullable Instant windowEnd,
        long bytes, Instant updatedAt) {}
