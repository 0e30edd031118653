package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;

/** Held by the one server that changes the schema, while the others wait. It ends with the session at the latest. */
record SchemaLock(Connection connection) implements AutoCloseable {
    /** "queen.db" in ASCII. */
    private static final long KEY = 0x717565656e2e6462L;

    /** Twenty servers that start at once wait for one of them. */
    private static final String WAIT_MAX = "10min";

    static SchemaLock acquire(Connection connection) throws SQLException {
        run(connection, "select set_config('lock_timeout', '" + WAIT_MAX + "', false)");
        run(connection, "select pg_advisory_lock(" + KEY + ")");
        return new SchemaLock(connection);
    }

    @Override
    public void close() throws SQLException {
        run(connection, "select pg_advisory_unlock(" + KEY + ")");
        run(connection, "reset lock_timeout");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
