package io.queenmq.testkit;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Executes SQL statements, each call on its own connection. */
final class Sql {
    private static final String IN_USE = "55006";
    private static final int TRIES_MAX = 12;

    private Sql() {}

    /**
     * Executes a statement. Retries while the database is in use: on a busy machine, a closed session may use its
     * database for longer than PostgreSQL waits.
     */
    static void execute(TestDatabase database, String sql) {
        run(database, connection -> {
            for (int tries = 1;; tries++) {
                try (var statement = connection.createStatement()) {
                    statement.execute(sql);
                    return;
                } catch (SQLException e) {
                    if (!IN_USE.equals(e.getSQLState()) || tries == TRIES_MAX) {
                        throw new IllegalStateException(sql + ": " + e.getMessage(), e);
                    }
                }
            }
        });
    }

    /** Executes the statements in order on one connection. */
    static void executeAll(TestDatabase database, String... statements) {
        run(database, connection -> {
            for (var sql : statements) {
                try (var statement = connection.createStatement()) {
                    statement.execute(sql);
                } catch (SQLException e) {
                    throw new IllegalStateException(sql + ": " + e.getMessage(), e);
                }
            }
        });
    }

    static List<String> strings(TestDatabase database, String sql) {
        var strings = new ArrayList<String>();
        run(database, connection -> {
            try (var statement = connection.createStatement(); var rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    strings.add(rows.getString(1));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(sql + ": " + e.getMessage(), e);
            }
        });
        return strings;
    }

    static void run(TestDatabase database, Consumer<Connection> work) {
        try (var connection = database.connect()) {
            work.accept(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close the connection to " + database.name(), e);
        }
    }
}
