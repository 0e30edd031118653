package io.queenmq.client.operator;

import java.util.List;

/**
 * How a server is. One that cannot work does not answer at all, so whoever holds this may use it.
 *
 * @param database {@code connected} or {@code disconnected}
 * @param maintenance who is kept out, as this server knows it
 * @param shardsAway the shards that this server cannot reach: their lanes have to wait, all others go on
 */
public record Health(boolean isHealthy, String database, String version, Maintenance.Status maintenance,
        List<String> shardsAway) {
    public Health {
        shardsAway = List.copyOf(shardsAway);
    }
}
