package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers with a recent report: a breaking migration must not be applied while they run. */
final class LiveServers {
    private static final Logger log = LoggerFactory.getLogger(LiveServers.class);

    private static final String ARE_REPORTED = "select to_regclass('queen.server') is not null and to_regclass('queen.presence') is not null";

    /** A server reports its consumers every second, and its numbers at a configured interval. */
    private static final String SQL = """
            select s.hostname || ':' || s.port || ' (' || s.worker_id || ', process ' || s.pid || ')',
                   greatest(s.seen_at, p.seen_at) as seen_at
            from queen.server s
            left join queen.presence p on p.server_id = s.id
            where greatest(s.seen_at, p.seen_at) > clock_timestamp() - interval '30 seconds'
            order by 1""";

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Connection connection;

    LiveServers(Connection connection) {
        this.connection = connection;
    }

    /**
     * Waits until no server has reported for half a minute, because servers that were just stopped are still listed.
     *
     * @throws SchemaException as soon as a server reports meanwhile, with the names of the running servers
     */
    void requireNone(Migration migration, Deadline deadline) throws SQLException {
        var known = load();
        if (!known.isEmpty()) {
            log.info("migration {} is waiting until these servers have stopped: {}", migration.name(),
                    String.join(", ", known.keySet()));
        }
        while (!known.isEmpty()) {
            deadline.pause(PAUSE);
            var before = known;
            known = load();
            var running = known.entrySet().stream().filter(each -> !each.getValue().equals(before.get(each.getKey())))
                    .map(Map.Entry::getKey).toList();
            if (!running.isEmpty()) {
                throw new SchemaException("Migration " + migration.name()
                        + " cannot be applied while servers of an older release run: " + String.join(", ", running)
                        + ". Stop all servers first, then start this release. The reason: "
                        + migration.breakingReason());
            }
        }
    }

    private Map<String, OffsetDateTime> load() throws SQLException {
        var servers = new LinkedHashMap<String, OffsetDateTime>();
        try (var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery(ARE_REPORTED)) {
                rows.next();
                if (!rows.getBoolean(1)) {
                    return servers;
                }
            }
            try (var rows = statement.executeQuery(SQL)) {
                while (rows.next()) {
                    servers.put(rows.getString(1), rows.getObject(2, OffsetDateTime.class));
                }
            }
        }
        return servers;
    }
}
