package io.queenmq.client.operator;

import java.util.List;

/**
 * The state of a server, also while PostgreSQL is unavailable.
 *
 * @param isHealthy true if PostgreSQL executes calls
 * @param summary the state in words, as in the log of the server
 * @param database {@code connected} or {@code disconnected}
 * @param maintenance the maintenance mode, as known to this server
 * @param warnings limitations of a healthy server, such as an unavailable shard
 * @param spool the messages that this server stores until PostgreSQL is available
 */
public record ServerState(boolean isHealthy, String summary, String database, String version,
        Maintenance.Status maintenance, List<String> warnings, Spool.Status spool) {
    public ServerState {
        warnings = List.copyOf(warnings);
    }
}
