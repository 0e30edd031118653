package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of a stream query for one key in one partition.
 *
 * @param value one JSON value; null if it is encrypted or longer than 64 KiB
 * @param windowEnd the end of its window; null without a window
 * @param bytes of the value, as stored
 */
public record StreamState(String key, @Nullable String value, boolean isEncrypted, @Nullable Instant windowEnd,
        long bytes, Instant updatedAt) {}
