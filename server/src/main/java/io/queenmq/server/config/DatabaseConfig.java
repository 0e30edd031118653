package io.queenmq.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connection settings of PostgreSQL. {@link #toString} does not contain the password. */
public record DatabaseConfig(@Nullable String host, int port, String database, String user, String password,
        PostgresTls tls, Timeouts timeouts) {

    /**
     * The maximum durations of database work.
     *
     * @param lock the maximum wait of a statement for a lock
     */
    public record Timeouts(Duration connect, Duration statement, Duration lock) {}

    @Override
    public String toString() {
        return "PostgreSQL at " + host + ":" + port + "/" + database;
    }
}
