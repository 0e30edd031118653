package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.server.Server;
import io.queenmq.server.StartException;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that can never open all its connections fails at its start, instead of skipping shards without end. */
class ConnectionLimitTest {
    private static final String PASSWORD = "secret";

    private final TestDatabase database = TestPostgres.shared().createDatabase();
    /** Unique, because roles belong to all databases.  */
    private final String user = "user_of_" + database.name();

    @BeforeEach
    void createUser() {
        execute("create role " + user + " login password '" + PASSWORD + "'");
        execute("grant all on database " + database.name() + " to " + user);
    }

    @AfterEach
    void drop() {
        execute("drop owned by " + user);
        execute("drop role " + user);
        database.close();
    }

    @Test
    void aUserWithTooFewConnectionsIsRejected() {
        execute("alter role " + user + " connection limit 37");

        assertThatThrownBy(() -> start("3")).isInstanceOf(StartException.class)
                .hasMessageContaining("PostgreSQL allows 37 connections, but a server with 3 shards needs 38");
    }

    @Test
    void aDatabaseWithTooFewConnectionsIsRejected() {
        execute("alter database " + database.name() + " connection limit 20");

        assertThatThrownBy(() -> start("3")).isInstanceOf(StartException.class)
                .hasMessageContaining("PostgreSQL allows 20 connections, but a server with 3 shards needs 38");
    }

    @Test
    void theRequiredNumberOfConnectionsIsSufficient() {
        execute("alter role " + user + " connection limit 38");

        try (Server server = start("3")) {
            QueenClient queen = new QueenClient(server.url());
            // On a busy machine, a server may start without a shard that had no connection within some seconds.
            Await.until(() -> queen.get("/health").json().get("warnings").isEmpty());
        }
    }

    private void execute(String sql) {
        try (var connection = database.connect(); var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Server start(String shards) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "QUEEN_SHARDS", shards, "PG_HOST", database.host(),
                "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", user, "PG_PASSWORD",
                PASSWORD));
        return Server.start(ConfigReader.read(variables));
    }
}
