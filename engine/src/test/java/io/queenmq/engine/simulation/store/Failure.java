package io.queenmq.engine.simulation.store;

/**
 * What is known of the failed deliveries of one unfinished message.
 *
 * @param retryAt the message is not delivered before; null when it may be at once
 */
public record Failure(int attempts, String error, Long retryAt, long failedAt) {}
