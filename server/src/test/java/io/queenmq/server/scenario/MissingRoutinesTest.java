package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** If the routines of a running server are dropped, requests fail with 503, the server reports the reason, and installs the routines again. */
class MissingRoutinesTest {
    private static final long SCHEMA_LOCK = 0x717565656e2e6462L;

    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("DB_UNAVAILABLE_AFTER_MS", "1000", "METRICS_REPORT_INTERVAL_MS", "100"));

    @RegisterExtension
    static final QueenServer spooling = QueenServer
            .with(Map.of("DB_UNAVAILABLE_AFTER_MS", "1000", "SPOOL_ENABLED", "true", "SPOOL_DIR", newFolder()));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @AfterEach
    void recovered() {
        Await.until(() -> queen.get("/health").status() == 200);
    }

    @Test
    void aServerRecordsWhichRoutinesItUses() {
        Await.until(() -> server.select("select distinct routine_set from queen.server")
                .equals(server.select("select name from queen.routine_set")));
    }

    @Test
    void droppedRoutinesAreInstalledAgain() {
        queen.push(queue, "a", "1");

        dropRoutines(server);

        assertThat(queen.push(queue, "a", "2").each("status")).doesNotContain("failed");
        Await.until(() -> queen.push(queue, "a", "3").status() == 201);
        JsonNode first = queen.popPartition(queue, "a").message();
        assertThat(first.get("transactionId").asText()).isEqualTo("1");
        assertThat(queen.ack(first, "completed").get("success").asBoolean()).isTrue();
    }

    @Test
    void oneDroppedRoutineIsInstalledAgain() {
        queen.push(queue, "a", "1");

        server.update("drop function " + routines(server) + ".lease cascade");

        Await.until(() -> queen.popPartition(queue, "a").status() == 200);
    }

    @Test
    void whileRoutinesCannotBeInstalledRequestsAreAnswered503AndHealthNamesTheReason() throws SQLException {
        queen.push(queue, "a", "1");
        JsonNode leased = queen.popPartition(queue, "a").message();
        try (Connection _ = holdSchemaLock(server)) {
            dropRoutines(server);

            Answer push = queen.push(queue, "a", "2");
            assertThat(push.status()).isEqualTo(503);
            assertThat(push.json().get("error").asText()).contains("missing from the database");
            assertThat(queen.post("/api/v1/ack", QueenClient.acknowledgment(leased, "completed").toString()).status())
                    .isEqualTo(503);
            assertThat(queen.popPartition(queue, "a").status()).isEqualTo(204);
            assertThat(queen.get("/api/v1/resources/queues").status()).isEqualTo(503);
            Answer health = queen.get("/health");
            assertThat(health.status()).isEqualTo(503);
            assertThat(health.json().get("error").asText()).contains("missing from the database", "queen_api_",
                    "installs its routines again");
        }

        Await.until(() -> queen.get("/health").status() == 200);
        assertThat(queen.ack(leased, "completed").get("success").asBoolean()).isTrue();
        assertThat(queen.push(queue, "a", "3").each("status")).containsExactly("queued");
    }

    @Test
    void aMissingTableIsReportedWithARemedy() {
        server.update("alter table queen.system_state rename to system_state_away");
        try {
            assertThat(queen.push(queue, "a", "1").status()).isEqualTo(503);
            Await.until(
                    () -> queen.get("/health").json().path("error").asText("").contains("the routines are complete"));
        } finally {
            server.update("alter table queen.system_state_away rename to system_state");
        }
        Await.until(() -> queen.push(queue, "a", "1").status() == 201);
    }

    /** A server reads its reports from that table before it uses a new connection. */
    @Test
    void aMissingTableIsReportedAlsoAfterAllConnectionsWereLost() {
        server.update("alter table queen.server rename to server_away");
        try {
            server.select("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where datname = current_database() and pid <> pg_backend_pid()");
            Await.until(() -> {
                JsonNode health = queen.get("/health").json();
                return health.path("database").asText().equals("connected")
                        && health.path("error").asText("").contains("queen.server");
            });
        } finally {
            server.update("alter table queen.server_away rename to server");
        }
        Await.until(() -> queen.push(queue, "a", "1").status() == 201);
    }

    @Test
    void pushesAreSpooledMeanwhile() throws SQLException {
        QueenClient client = spooling.client();
        client.push(queue, "a", "1");
        try (Connection _ = holdSchemaLock(spooling)) {
            dropRoutines(spooling);

            assertThat(client.push(queue, "a", "2").each("status")).containsExactly("buffered");
            assertThat(client.get("/health").status()).isEqualTo(503);
            assertThat(client.get("/health/push").status()).isEqualTo(200);
        }

        Await.until(() -> client.get("/health").status() == 200);
        for (String expected : new String[]{"1", "2"}) {
            Await.until(() -> client.get("/api/v1/system/spool").status() == 200);
            JsonNode message = popped(client);
            assertThat(message.get("transactionId").asText()).isEqualTo(expected);
            client.ack(message, "completed");
        }
    }

    private JsonNode popped(QueenClient client) {
        Answer[] answer = new Answer[1];
        Await.until(() -> (answer[0] = client.popPartition(queue, "a")).status() == 200);
        return answer[0].message();
    }

    private static Connection holdSchemaLock(QueenServer server) throws SQLException {
        Connection connection = server.database().connect();
        try (var statement = connection.createStatement()) {
            statement.execute("select pg_advisory_lock(" + SCHEMA_LOCK + ")");
        }
        return connection;
    }

    private static void dropRoutines(QueenServer server) {
        server.update("drop schema " + routines(server) + " cascade");
    }

    private static String routines(QueenServer server) {
        return server.select("select name from queen.routine_set").getFirst();
    }

    private static String newFolder() {
        try {
            return Files.createTempDirectory("queen-spool").toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
