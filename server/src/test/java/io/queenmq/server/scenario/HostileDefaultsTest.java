package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.HostileDefaults;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server is installed and works on a database whose default settings would break or change its calls. */
class HostileDefaultsTest {
    @TempDir
    static Path folder;

    private static TestDatabase database;
    private static CuttableProxy network;
    private static Server server;
    private static QueenClient queen;

    private final String queue = "orders-" + System.nanoTime();

    @BeforeAll
    static void start() {
        database = TestPostgres.shared().createDatabase();
        HostileDefaults.set(database);
        network = new CuttableProxy(database.host(), database.port());
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(network.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "SPOOL_ENABLED", "true", "SPOOL_DIR", folder.toString()));
        variables.put("RETENTION_INTERVAL", "200");
        server = Server.start(ConfigReader.read(variables));
        queen = new QueenClient(server.url());
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        network.close();
        database.close();
    }

    @Test
    void messagesAreDeliveredOnceInOrder() {
        assertThat(queen.push(queue, "a", "1", "2", "Grüße").each("status")).containsOnly("queued");
        assertThat(queen.push(queue, "a", "1").each("status")).containsOnly("duplicate");

        for (String expected : List.of("1", "2", "Grüße")) {
            JsonNode message = queen.popPartition(queue, "a").message();
            assertThat(message.get("transactionId").asText()).isEqualTo(expected);
            assertThat(message.get("createdAt").asText()).endsWith("Z");
            assertThat(queen.ack(message, "completed").get("success").asBoolean()).isTrue();
        }
        assertThat(queen.popPartition(queue, "a").status()).isEqualTo(204);
    }

    @Test
    void largeBatchesTakeLongerThanTheDefaultsAllow() {
        String[] transactionIds = IntStream.range(0, 1_000).mapToObj(i -> i + "x".repeat(200)).toArray(String[]::new);

        for (int i = 0; i < 20; i++) {
            assertThat(queen.push(queue, "partition-" + i, transactionIds).status()).isEqualTo(201);
        }
        assertThat(queen.get("/api/v1/messages?queue=" + queue + "&limit=100").status()).isEqualTo(200);
    }

    @Test
    void operatorsChangeAndReadQueues() {
        queen.push(queue, "a", "1", "2");
        queen.ack(queen.popPartition(queue, "a").message(), "completed");

        assertThat(
                queen.post("/api/v1/consumer-groups/__QUEUE_MODE__/queues/" + queue + "/seek", "{\"toBeginning\":true}")
                        .status())
                .isEqualTo(200);
        assertThat(queen.popPartition(queue, "a").message().get("transactionId").asText()).isEqualTo("1");
        assertThat(queen.post("/api/v1/resources/queues/" + queue + "/pause", "{}").status()).isEqualTo(200);
        for (String route : List.of("/api/v1/resources/queues", "/api/v1/resources/queues/" + queue, "/api/v1/status",
                "/api/v1/resources/overview", "/api/v1/consumer-groups", "/metrics/prometheus", "/api/v1/dlq")) {
            assertThat(queen.get(route).status()).as(route).isEqualTo(200);
        }
    }

    @Test
    void sessionsStayOpenAndUpkeepRuns() throws Exception {
        queen.push(queue, "a", "1");
        List<String> before = sessions();

        Thread.sleep(Duration.ofSeconds(1));

        assertThat(sessions()).as("idle timeouts are 100 ms").containsAll(before);
        Await.until(() -> queen.get("/metrics/prometheus").body().lines().anyMatch(
                line -> line.startsWith("queen_upkeep_last_success_timestamp_seconds") && !line.endsWith(" 0.0")));
        assertThat(queen.get("/health").status()).isEqualTo(200);
    }

    @Test
    void pushesAreSpooledAndStored() {
        queen.push(queue, "a", "1");
        network.cut();
        try {
            Await.until(() -> queen.get("/health").status() == 503);
            assertThat(queen.push(queue, "a", "2").each("status")).containsExactly("buffered");
        } finally {
            network.restore();
        }
        for (String expected : List.of("1", "2")) {
            Answer[] popped = new Answer[1];
            Await.until(() -> (popped[0] = queen.popPartition(queue, "a")).status() == 200);
            assertThat(popped[0].message().get("transactionId").asText()).isEqualTo(expected);
            queen.ack(popped[0].message(), "completed");
        }
    }

    private static List<String> sessions() throws SQLException {
        List<String> found = new ArrayList<>();
        TestDatabase other = new TestDatabase(database.host(), database.port(), "postgres", database.user(),
                database.password());
        try (Connection connection = other.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select pid from pg_stat_activity where application_name = 'queen'"
                        + " and datname = '" + database.name() + "' and state = 'idle'"
                        + " and clock_timestamp() - backend_start > interval '1 second'")) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }
}
