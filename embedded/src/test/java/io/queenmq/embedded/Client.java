package io.queenmq.embedded;

import java.sql.DriverManager;
import java.sql.SQLException;

/** Queries the embedded PostgreSQL by its address and password, like any program. */
record Client(String url, String user, String password) {
    static Client of(EmbeddedPostgres postgres) {
        var url = "jdbc:postgresql://" + postgres.host() + ":" + postgres.port() + "/" + postgres.database();
        return new Client(url, postgres.user(), postgres.password());
    }

    void execute(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url, user, password);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String ask(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url, user, password);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
