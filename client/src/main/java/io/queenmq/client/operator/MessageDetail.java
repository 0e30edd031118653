package io.queenmq.client.operator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stored message.
 *
 * @param payload one JSON value
 * @param error of its last failure; null for none
 */
public record MessageDetail(MessageSummary summary, Map<String, String> headers, String payload, int retryCount,
        @Nullable String error) {}
