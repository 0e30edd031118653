package io.queenmq.schema;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A new database with the schema installed, on a PostgreSQL of this machine, for a manual measurement; dropped when
 * closed.
 */
final class CostDatabase implements AutoCloseable {
    /** @param url of a maintenance database */
    record Server(String url, String user, String password) {
        static Server of(String[] args) {
            return new Server(args[0], args[1], args[2]);
        }

        Connection connect() throws SQLException {
            return DriverManager.getConnection(url, user, password);
        }

        Connection connect(String database) throws SQLException {
            return DriverManager.getConnection(url.substring(0, url.lastIndexOf('/') + 1) + database, user, password);
        }
    }

    private final Server server;
    private final String name;
    private final String schema;
    private final List<Api> sessions = new ArrayList<>();

    CostDatabase(Server server, String name) throws SQLException {
        this.server = server;
        this.name = name;
        try (var maintenance = server.connect()) {
            Rows.execute(maintenance, "drop database if exists " + name + " with (force)");
            Rows.execute(maintenance, "create database " + name + " encoding 'UTF8' template template0");
            Rows.execute(maintenance, "checkpoint");
        }
        try (var connection = server.connect(name)) {
            schema = Schema.install(connection).api();
        }
    }

    /** Opens a session with the settings of a server, until the database is closed. */
    Api newSession() throws SQLException {
        var session = Api.open(server.connect(name), schema, Shards.ONE, Schema.SESSION_SETTINGS);
        sessions.add(session);
        return session;
    }

    @Override
    public void close() throws SQLException {
        sessions.forEach(Api::close);
        try (var maintenance = server.connect()) {
            Rows.execute(maintenance, "drop database " + name + " with (force)");
        }
    }
}
