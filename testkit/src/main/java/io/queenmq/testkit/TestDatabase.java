package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** One database of the test server; closing it drops it, whoever is still connected. */
public record TestDatabase(String host, int port, String name, String user, String password) implements AutoCloseable {
    private static final String MAINTENANCE = "postgres";

    /** A new connection, which the caller closes. */
    public Connection connect() {
        try {
            return DriverManager.getConnection(jdbcUrl(), user, password);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot connect to " + jdbcUrl() + ": " + e.getMessage(), e);
        }
    }

    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    @Override
    public void close() {
        var elsewhere = new TestDatabase(host, port, MAINTENANCE, user, password);
        Sql.execute(elsewhere, "drop database if exists " + name + " with (force)");
    }
}
