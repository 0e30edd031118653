package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A role that is created by the statements in docs/guide/database-role.md, and has no other privileges, installs Queen and runs it. */
class LeastPrivilegeTest {
    private static final Path SCRIPTS = Path.of("../examples/src/main/sql");
    private static final String PASSWORD = "secret";

    private final TestDatabase database = TestPostgres.shared().createDatabase();
    private final String queenRole = database.name() + "_queen";
    private final String shopRole = database.name() + "_shop";

    @BeforeEach
    void createRoles() {
        execute(database, script("role.sql"));
        execute(database, script("application-role.sql"));
    }

    @AfterEach
    void drop() {
        database.close();
        TestDatabase other = new TestDatabase(database.host(), database.port(), "postgres", database.user(),
                database.password());
        execute(other, "drop role " + queenRole);
        execute(other, "drop role " + shopRole);
    }

    @Test
    void aServerIsInstalledAndRuns() throws SQLException {
        try (Server server = start()) {
            QueenClient queen = new QueenClient(server.url());
            queen.push("orders", "a", "1", "2");
            JsonNode message = queen.popPartition("orders", "a").message();
            assertThat(queen.ack(message, "completed").get("success").asBoolean()).isTrue();
            for (String route : List.of("/api/v1/resources/queues", "/api/v1/status",
                    "/api/v1/analytics/postgres-stats", "/api/v1/analytics/shards", "/api/v1/resources/overview",
                    "/metrics/prometheus")) {
                assertThat(queen.get(route).status()).as(route).isEqualTo(200);
            }
            assertThat(queen.post("/api/v1/consumer-groups/__QUEUE_MODE__/queues/orders/seek", "{\"toBeginning\":true}")
                    .status()).isEqualTo(200);

            TestDatabase asQueen = as(queenRole);
            assertThatThrownBy(() -> execute(as(shopRole), "select queen.push('orders', 'a', '{}')"))
                    .hasMessageContaining("permission denied for schema queen");
            execute(asQueen, script("grant.sql"));
            execute(as(shopRole), "select queen.push('orders', 'own', '{}', 'own-1')");
            assertThatThrownBy(() -> execute(as(shopRole), "select * from queen.queue"))
                    .hasMessageContaining("permission denied");

            execute(asQueen, "drop schema " + routines(asQueen) + " cascade");
            Await.until(() -> queen.popPartition("orders", "own").status() == 200);
        }
        // A restart of the same release changes nothing, and needs no more.
        execute(database, script("revoke-create.sql"));
        try (Server server = start()) {
            assertThat(new QueenClient(server.url()).get("/health").status()).isEqualTo(200);
        }
    }

    private Server start() {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "PG_HOST", database.host(), "PG_PORT",
                Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", queenRole, "PG_PASSWORD",
                PASSWORD));
        return Server.start(ConfigReader.read(variables));
    }

    /** Returns a script of the guide with the names of this test. */
    private String script(String name) {
        try {
            return Files.readString(SCRIPTS.resolve(name)).replace("database queen", "database " + database.name())
                    .replaceAll("\\b(role|to|from) queen\\b", "$1 " + queenRole)
                    .replaceAll("\\b(role|to) shop\\b", "$1 " + shopRole).replace("change-me", PASSWORD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TestDatabase as(String role) {
        return new TestDatabase(database.host(), database.port(), database.name(), role, PASSWORD);
    }

    private static String routines(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select queen.routines()")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(TestDatabase database, String sql) {
        try (Connection connection = database.connect(); var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql + ": " + e.getMessage(), e);
        }
    }
}
