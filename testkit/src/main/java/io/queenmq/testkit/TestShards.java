package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The number of shards of test databases, and statements in all shards. The views over all shards are read-only. */
public final class TestShards {
    /** The number of shards unless a test sets it: {@code -Dqueen.shards=3}, default 1. */
    public static final int COUNT = Integer.getInteger("queen.shards", 1);

    private static final String SETTING = "QUEEN_SHARDS";

    private TestShards() {}

    /** Returns the number of shards in these settings of a server, or {@link #COUNT}. */
    public static int count(Map<String, String> settings) {
        return settings.containsKey(SETTING) ? Integer.parseInt(settings.get(SETTING)) : COUNT;
    }

    /**
     * Runs a statement in each shard, in order. Within a transaction, its locks are held until the end of the
     * transaction.
     *
     * @param sql names tables of a shard without a schema, and tables of the catalog with their schema
     * @param values values of its question marks
     * @return the number of changed rows in all shards
     */
    public static int everywhere(Connection connection, String sql, Object... values) throws SQLException {
        int changed = 0;
        for (String shard : names(connection)) {
            useSchema(connection, shard);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (int i = 0; i < values.length; i++) {
                    statement.setObject(i + 1, values[i]);
                }
                statement.execute();
                changed += Math.max(statement.getUpdateCount(), 0);
            }
        }
        useSchema(connection, "default");
        return changed;
    }

    private static List<String> names(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select name from queen.shard order by number")) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static void useSchema(Connection connection, String schema) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set search_path to " + schema);
        }
    }
}
