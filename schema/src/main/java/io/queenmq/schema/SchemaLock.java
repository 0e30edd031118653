package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Held by the one server that changes the schema, while the others wait. It ends with the session at the latest. */
record SchemaLock(Connection connection) implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SchemaLock.class);

    /** "queen.db" in ASCII. */
    private static final long KEY = 0x717565656e2e6462L;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int PAUSES_PER_LOG_LINE = 100;

    /**
     * Asks again and again instead of waiting in PostgreSQL, so that a connection gone silent is noticed.
     *
     * @param patience how long twenty servers that start at once may wait for one of them
     */
    static SchemaLock acquire(Connection connection, Patience patience) throws SQLException {
        for (int tries = 1; !ask(connection, "select pg_try_advisory_lock(" + KEY + ")"); tries++) {
            if (patience.isOver()) {
                throw new SchemaException("another server has been changing the schema of Queen for "
                        + patience.total().toSeconds() + " s");
            }
            if (tries % PAUSES_PER_LOG_LINE == 0) {
                log.info("waiting until another server has changed the schema of Queen");
            }
            patience.pause(PAUSE);
        }
        return new SchemaLock(connection);
    }

    @Override
    public void close() throws SQLException {
        ask(connection, "select pg_advisory_unlock(" + KEY + ")");
    }

    private static boolean ask(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
