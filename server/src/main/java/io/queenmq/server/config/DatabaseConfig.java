package io.queenmq.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The connection settings of PostgreSQL. {@link #toString} does not contain the password. */
public record DatabaseConfig(@Nullable String host, int port, String database, String user, String password,
        PostgresTls tls, Duration connectTimeout, Duration statementTimeout, Duration lockTimeout) {

    @Override
    public String toString() {
        return "PostgreSQL at " + host + ":" + port + "/" + database;
    }
}
