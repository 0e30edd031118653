package io.queenmq.system;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shared parts of the tests on a Citus cluster. */
final class OnCitus {
    private OnCitus() {}

    /** Of a server with four shards on that database. */
    static Map<String, String> settings(CitusDatabase database, Path data) {
        TestDatabase at = database.coordinator();
        Map<String, String> settings = new HashMap<>(
                Map.of("PG_HOST", at.host(), "PG_PORT", Integer.toString(at.port()), "PG_DB", at.name(), "PG_USER",
                        at.user(), "PG_PASSWORD", at.password(), "QUEEN_DATA", data.toString()));
        settings.put("QUEEN_SHARDS", "4");
        return settings;
    }

    /** Where each shard is, as host:port, in their order. */
    static List<String> nodes(QueenProcess queen) {
        List<String> nodes = new ArrayList<>();
        for (JsonNode shard : queen.client().get("/api/v1/analytics/shards").body().get("shards")) {
            nodes.add(shard.get("host").asText() + ":" + shard.get("port").asInt());
        }
        return nodes;
    }

    static void execute(TestDatabase node, String sql) {
        try (var connection = node.connect(); var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    static long number(TestDatabase node, String sql) {
        try (var connection = node.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** From another database of the node, which is not concerned. */
    static void executeBeside(TestDatabase node, String sql) {
        execute(new TestDatabase(node.host(), node.port(), "postgres", node.user(), node.password()), sql);
    }

    /** Ends all sessions that others have in the database on that node. */
    static void cutSessions(TestDatabase node) {
        executeBeside(node, "select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + node.name()
                + "' and backend_type = 'client backend'");
    }
}
