package io.queenmq.client.operator;

/**
 * How a server is. One that cannot work does not answer at all, so whoever holds this may use it.
 *
 * @param database {@code connected} or {@code disconnected}
 * @param maintenance who is kept out, as this server knows it
 */
public record Health(boolean isHealthy, String database, String version, Maintenance.Status maintenance) {}
