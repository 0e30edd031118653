package io.queenmq.engine.simulation.store;

/**
 * The failed deliveries of one unfinished message.
 *
 * @param retryAt the time before which the message is not delivered; null if it may be delivered at once
 */
public record Failure(int attempts, String error, Long retryAt, long failedAt) {}
