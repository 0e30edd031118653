package io.queenmq.client.operator;

/**
 * How a server is. One that cannot work does not answer at all, so whoever holds this may use it.
 *
 * @param database {@code connected} or {@code disconnected}
 */
public record Health(boolean isHealthy, String database, String version) {}
