package io.queenmq.test.server;

import io.queenmq.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The database of the messages of one test JVM. */
record TestDatabase(String host, int port, String name, String user, String password) {
    private static final String NAME = "queen_test";

    /** Creates the database, and deletes that of an earlier run. */
    static TestDatabase createIn(EmbeddedPostgres postgres) {
        TestDatabase maintenance = new TestDatabase(postgres.host(), postgres.port(), postgres.database(),
                postgres.user(), postgres.password());
        try (Connection connection = maintenance.connect(); Statement statement = connection.createStatement()) {
            statement.execute("drop database if exists " + NAME + " with (force)");
            statement.execute("create database " + NAME + " encoding 'UTF8' template template0");
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the database for tests: " + e.getMessage(), e);
        }
        return new TestDatabase(postgres.host(), postgres.port(), NAME, postgres.user(), postgres.password());
    }

    String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user, password);
    }

    /** Returns the first column of the result. */
    List<String> query(String sql, String... values) {
        try (Connection connection = connect(); PreparedStatement statement = prepare(connection, sql, values)) {
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    /** Updates all shards in one transaction. The statement names their tables without a schema. */
    void updateShards(String sql, String... values) {
        List<String> shards = query("select name from queen.shard order by number");
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            for (String shard : shards) {
                connection.setSchema(shard);
                try (PreparedStatement statement = prepare(connection, sql, values)) {
                    statement.executeUpdate();
                }
            }
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, String... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setString(i + 1, values[i]);
        }
        return statement;
    }
}
