package io.queenmq.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock of the server that changes the schema; other servers wait. It ends with the session at the latest. */
record SchemaLock(Connection connection) implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SchemaLock.class);

    /** "queen.db" in ASCII. */
    private static final long KEY = 0x717565656e2e6462L;

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int PAUSES_PER_LOG_LINE = 100;

    /**
     * Acquires the lock by polling instead of waiting in PostgreSQL, so that a lost connection is detected.
     *
     * @param deadline the maximum wait
     */
    static SchemaLock acquire(Connection connection, Deadline deadline) throws SQLException {
        for (int tries = 1; !query(connection, "select pg_try_advisory_lock(" + KEY + ")"); tries++) {
            if (deadline.isOver()) {
                throw new SchemaException("another server has been changing the schema of Queen for "
                        + deadline.total().toSeconds() + " s");
            }
            if (tries % PAUSES_PER_LOG_LINE == 0) {
                log.info("waiting for another server that is changing the schema of Queen");
            }
            deadline.pause(PAUSE);
        }
        return new SchemaLock(connection);
    }

    @Override
    public void close() throws SQLException {
        query(connection, "select pg_advisory_unlock(" + KEY + ")");
    }

    private static boolean query(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement(); var rows = statement.executeQuery(sql)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
