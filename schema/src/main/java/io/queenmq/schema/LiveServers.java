package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Servers that were heard of a moment ago: a breaking migration would take the tables away under them. */
final class LiveServers {
    private static final Logger log = LoggerFactory.getLogger(LiveServers.class);

    private static final String IS_TOLD = "select to_regclass('queen.server') is not null and to_regclass('queen.presence') is not null";

    /** A server tells of its consumers every second, and of its numbers as often as it is told to. */
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
     * Waits until nobody was heard of for half a minute, because servers that were stopped just now are still listed.
     *
     * @throws SchemaException as soon as one is heard of meanwhile, naming those that are
     */
    void requireNone(Migration migration, Patience patience) throws SQLException {
        var known = load();
        if (!known.isEmpty()) {
            log.info("migration {} waits until it is certain that these servers have stopped: {}", migration.name(),
                    String.join(", ", known.keySet()));
        }
        while (!known.isEmpty()) {
            patience.pause(PAUSE);
            var before = known;
            known = load();
            var heard = known.entrySet().stream().filter(each -> !each.getValue().equals(before.get(each.getKey())))
                    .map(Map.Entry::getKey).toList();
            if (!heard.isEmpty()) {
                throw new SchemaException("Migration " + migration.name()
                        + " cannot be applied while servers run that do not know it: "
                        + String.join(", ", heard) + ". Stop all servers first, then start this release. The reason: "
                        + migration.whyBreaking());
            }
        }
    }

    private Map<String, OffsetDateTime> load() throws SQLException {
        var servers = new LinkedHashMap<String, OffsetDateTime>();
        try (var statement = connection.createStatement()) {
            try (var rows = statement.executeQuery(IS_TOLD)) {
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
