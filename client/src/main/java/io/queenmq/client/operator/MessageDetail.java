package io.queenmq.client.operator;

import org.jspecify.annotations.Nullable;

/**
 * A stored message.
 *
 * @param payload one JSON value
 * @param error the last failure; null for none
 */
public record MessageDetail(MessageSummary summary, String payload, int retryCount, @Nullable String error) {}
