package io.queenmq.client.operator;

import java.util.List;

/**
 * How a server is. One that cannot work does not answer at all, so whoever holds this may use it.
 *
 * @param database {@code connected} or {@code disconnected}
 * @param maintenance who is kept out, as this server knows it
 * @param warnings what it cannot do, though it is healthy, such as reach one of several shards
 */
public record Health(boolean isHealthy, String database, String version, Maintenance.Status maintenance,
        List<String> warnings) {
    public Health {
        warnings = List.copyOf(warnings);
    }
}
