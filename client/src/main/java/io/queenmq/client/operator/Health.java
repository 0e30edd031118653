package io.queenmq.client.operator;

import java.util.List;

/**
 * The health of a server. An unhealthy server responds with an error instead.
 *
 * @param database {@code connected} or {@code disconnected}
 * @param maintenance the maintenance mode, as known to this server
 * @param warnings limitations of a healthy server, such as an unavailable shard
 */
public record Health(boolean isHealthy, String database, String version, Maintenance.Status maintenance,
        List<String> warnings) {
    public Health {
        warnings = List.copyOf(warnings);
    }
}
