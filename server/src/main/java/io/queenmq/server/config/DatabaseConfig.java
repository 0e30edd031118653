package io.queenmq.server.config;

import java.time.Duration;

/** How to reach PostgreSQL. */
public record DatabaseConfig(String host, int port, String database, String user, String password, boolean useSsl,
        boolean rejectUnauthorized, Duration connectTimeout, Duration statementTimeout, Duration lockTimeout) {}
