package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;

/** One database of the test server; closing it drops it, whoever is still connected. */
public record TestDatabase(String host, int port, String name, String user, String password) implements AutoCloseable {
    private static final String MAINTENANCE = "postgres";
    private static final String CONNECT_MAX_S = "120";

    /** A new connection, which the caller closes. */
    public Connection connect() {
        try {
            var properties = new Properties();
            properties.putAll(Map.of("user", user, "password", password, "connectTimeout", CONNECT_MAX_S));
            return DriverManager.getConnection(jdbcUrl(), properties);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to " + jdbcUrl() + ": " + e.getMessage(), e);
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** Runs a statement in each shard of the Queen that is installed here, as {@link TestShards#everywhere} does. */
    public int everywhere(String sql, Object... values) {
        try (Connection connection = connect()) {
            return TestShards.everywhere(connection, sql, values);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        var elsewhere = new TestDatabase(host, port, MAINTENANCE, user, password);
        Sql.execute(elsewhere, "drop database if exists " + name + " with (force)");
    }
}
