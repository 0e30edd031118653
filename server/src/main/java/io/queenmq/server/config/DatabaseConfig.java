package io.queenmq.server.config;

import java.time.Duration;

/** How to reach PostgreSQL. Its text does not tell the password. */
public record DatabaseConfig(String host, int port, String database, String user, String password, PostgresTls tls,
        Duration connectTimeout, Duration statementTimeout, Duration lockTimeout) {

    @Override
    public String toString() {
        return "PostgreSQL at " + host + ":" + port + "/" + database;
    }
}
