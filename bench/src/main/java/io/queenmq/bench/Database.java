package io.queenmq.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;

/** A connection to the PostgreSQL behind the server, to count its commits. */
final class Database implements AutoCloseable {
    private static final String CONNECT_SECONDS_MAX = "5";
    private static final String COMMITS = "select xact_commit from pg_stat_database where datname = current_database()";

    private final Connection connection;

    private Database(Connection connection) {
        this.connection = connection;
    }

    /** Returns empty if the connection is rejected. Then the number of commits is unknown. */
    static Optional<Database> connect(String host, int port, String name, String user, String password) {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", CONNECT_SECONDS_MAX);
        properties.setProperty("loginTimeout", CONNECT_SECONDS_MAX);
        properties.setProperty("ApplicationName", "queen bench");
        try {
            return Optional.of(new Database(
                    DriverManager.getConnection("jdbc:postgresql://" + host + ":" + port + "/" + name, properties)));
        } catch (SQLException _) {
            return Optional.empty();
        }
    }

    /** Returns the commits so far, or NaN if unknown. PostgreSQL reports them with a delay of up to a second. */
    double commits() {
        try (Statement statement = connection.createStatement(); var row = statement.executeQuery(COMMITS)) {
            return row.next() ? row.getLong(1) : Double.NaN;
        } catch (SQLException _) {
            return Double.NaN;
        }
    }

    String version() {
        try {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException _) {
            return "";
        }
    }

    /** Vacuums and checkpoints after a scenario, so that PostgreSQL does not do so during the next one. */
    void tidy() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("vacuum (analyze)");
            statement.execute("checkpoint");
        } catch (SQLException e) {
            throw new BenchAbortedException("PostgreSQL could not be tidied up: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException _) {
            // The connection is discarded anyway.
        }
    }
}
