package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;

/** The properties of the database server and the session. */
record ServerFacts(int versionNumber, String version, String encoding, boolean isPrepared, boolean hasShards,
        String replicationRole) {
    private static final int VERSION_MIN = 15;
    private static final String ENCODING = "UTF8";
    private static final String ORIGIN = "origin";

    private static final String SQL = """
            select current_setting('server_version_num')::int, current_setting('server_version'),
                   current_setting('server_encoding'),
                   to_regclass('queen.migration') is not null and to_regclass('queen.routine_set') is not null,
                   to_regclass('queen.shard') is not null,
                   current_setting('session_replication_role')""";

    static ServerFacts load(Connection connection) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(SQL)) {
            rows.next();
            return new ServerFacts(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getBoolean(4),
                    rows.getBoolean(5), rows.getString(6));
        }
    }

    void requireUsable() {
        if (versionNumber < VERSION_MIN * 10_000) {
            throw new SchemaException(
                    "Queen needs PostgreSQL " + VERSION_MIN + " or newer, and this server is " + version);
        }
        if (!encoding.equals(ENCODING)) {
            throw new SchemaException("Queen needs a database with encoding " + ENCODING + ", and this one has "
                    + encoding + ". Create another with: create database queen encoding 'UTF8' template template0");
        }
        // Foreign keys would not be enforced: deleting a queue would leave rows behind.
        if (!replicationRole.equals(ORIGIN)) {
            throw new SchemaException("Queen needs sessions with session_replication_role = " + ORIGIN
                    + ", and this one has " + replicationRole
                    + ". Remove the setting from the role or the database: alter role … reset session_replication_role");
        }
    }
}
