package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes are accepted while PostgreSQL is unavailable or pushes are in maintenance. */
class SpoolTest {
    private static final String MAINTENANCE = "/api/v1/system/maintenance";
    private static final String SPOOL = "/api/v1/system/spool";
    private static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    @TempDir
    static Path folder;

    private static TestDatabase database;
    private static CuttableProxy network;
    private static Server server;
    private static int queues;

    private final String queue = "spooled-" + queues++;

    @BeforeAll
    static void start() {
        database = InstalledDatabase.create();
        network = new CuttableProxy(database.host(), database.port());
        server = open(Map.of());
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        network.close();
        database.close();
    }

    @AfterEach
    void restore() {
        network.restore();
        awaitDrained();
        queen().post(MAINTENANCE, "{\"enabled\":false}");
    }

    @Test
    void pushesAreAcceptedWithoutPostgresAndStoredOnceInOrder() {
        queen().push(queue, "a", "1");
        cutPostgres();

        Answer buffered = queen().push(queue, "a", "2", "3");
        assertThat(buffered.status()).isEqualTo(201);
        assertThat(buffered.each("status")).containsExactly("buffered", "buffered");
        assertThat(buffered.list().getFirst().get("queue").asText()).isEqualTo(queue);
        assertThat(buffered.list().getFirst().get("partition").asText()).isEqualTo("a");
        for (int i = 4; i <= 40; i++) {
            assertThat(queen().push(queue, "a", Integer.toString(i)).each("status")).containsExactly("buffered");
        }
        assertThat(queen().push(queue, "a", "3", "40").status()).as("repeated").isEqualTo(201);
        assertThat(queen().push(queue + "-new", "b", "x").each("status")).containsExactly("buffered");
        assertThat(queen().pop(queue).status()).isEqualTo(204);
        assertThat(queen().get("/health").status()).isEqualTo(503);
        assertThat(queen().get("/health/push").status()).isEqualTo(200);
        JsonNode shown = queen().get(MAINTENANCE).json();
        assertThat(shown.get("bufferedMessages").asInt()).isEqualTo(42);
        assertThat(shown.get("bufferHealthy").asBoolean()).isTrue();
        assertThat(shown.at("/bufferStats/dbHealthy").asBoolean()).isFalse();
        network.restore();
        awaitDrained();

        assertThat(stored(queue, "a")).isEqualTo(numbers(1, 40));
        assertThat(stored(queue + "-new", "b")).containsExactly("x");
        List<String> ids = queen().pop(queue, "batch=100", "consumerGroup=g").messages().stream()
                .map(message -> message.get("id").asText()).toList();
        assertThat(ids.subList(1, 3)).isEqualTo(buffered.each("message_id"));
    }

    @Test
    void aPushWhoseResponseWasLostIsNotStoredAgain() {
        queen().push(queue, "a", "0");
        CompletableFuture<Answer> first = pushWithLostResponse("no-answer", "2");

        assertThat(first.join().each("status")).containsExactly("buffered", "buffered");
        assertThat(queen().push(queue, "a", "3").each("status")).containsExactly("buffered");
        network.restore();
        awaitDrained();

        assertThat(stored(queue, "a")).containsExactly("0", "no-answer", "2", "3");
    }

    /** Duplicates of spooled pushes must be recognized independently of the deduplication window. */
    @Test
    void aQueueWithoutDeduplicationStoresAPushWithALostResponseOnceAndRepeatedPushesAgain() {
        queen().configure(queue, "{\"dedupWindowSeconds\":0}");
        pushWithLostResponse("no-answer", "2").join();
        queen().push(queue, "a", "2");
        network.restore();
        awaitDrained();

        assertThat(stored(queue, "a")).containsExactly("no-answer", "2", "2");
    }

    @Test
    void laterPushesOfAPartitionFollowItsSpooledMessages() {
        queen().push(queue, "a", "0");
        try (LockedPartition _ = new LockedPartition(database, queue, "a")) {
            cutPostgres();
            queen().push(queue, "a", "1");
            network.restore();
            awaitConnected();

            assertThat(queen().push(queue, "a", "2").each("status")).containsExactly("buffered");
            assertThat(queen().push(queue, "b", "1").each("status")).containsExactly("queued");
            Answer transaction = queen().transaction("{\"operations\":[{\"type\":\"push\",\"queue\":\"" + queue
                    + "\",\"partition\":\"a\",\"transactionId\":\"t\"}]}");
            assertThat(transaction.status()).isEqualTo(503);
        }
        awaitDrained();

        assertThat(queen().push(queue, "a", "3").each("status")).containsExactly("queued");
        assertThat(stored(queue, "a")).containsExactly("0", "1", "2", "3");
    }

    @Test
    void maintenanceSpoolsPushesOnEveryServer() {
        queen().push(queue, "a", "0");
        try (Server other = open(Map.of("SPOOL_DIR", folder.resolve("other").toString()))) {
            QueenClient there = new QueenClient(other.url());
            assertThat(there.post(MAINTENANCE, "{\"enabled\":true}").json().get("message").asText())
                    .isEqualTo("pushes are kept in the spool");
            Await.until(
                    () -> queen().push(queue, "z", "z" + System.nanoTime()).each("status").equals(List.of("buffered")));
            assertThat(queen().push(queue, "a", "1").each("status")).containsExactly("buffered");
            assertThat(there.push(queue, "b", "1").each("status")).containsExactly("buffered");
            assertThat(stored(queue, "a")).containsExactly("0");

            assertThat(there.post(MAINTENANCE, "{\"enabled\":false}").json().get("message").asText())
                    .isEqualTo("pushes are taken");
            Await.until(() -> stored(queue, "a").equals(List.of("0", "1")));
            Await.until(() -> stored(queue, "b").equals(List.of("1")));
        }
    }

    @Test
    void spooledMessagesAreStoredAfterARestart() {
        queen().push(queue, "a", "0");
        queen().post(MAINTENANCE, "{\"enabled\":true}");
        queen().push(queue, "a", "1", "2");
        queen().push(queue, "b", "1");
        server.close();
        server = open(Map.of());

        assertThat(queen().push(queue, "a", "3").each("status")).containsExactly("buffered");
        queen().post(MAINTENANCE, "{\"enabled\":false}");
        awaitDrained();
        assertThat(stored(queue, "a")).containsExactly("0", "1", "2", "3");
        assertThat(stored(queue, "b")).containsExactly("1");
        assertThat(filesIn(folder.resolve("spool/waiting"))).isEmpty();
    }

    @Test
    void spooledMessagesOfEncryptedQueuesAreEncryptedOnDisk() throws IOException {
        queen().configure(queue, "{\"encryptionEnabled\":true}");
        cutPostgres();
        queen().post("/api/v1/push",
                "{\"items\":[{\"queue\":\"" + queue + "\",\"transactionId\":\"1\",\"payload\":\"a-secret-word\"}]}");

        for (Path file : filesIn(folder.resolve("spool/waiting"))) {
            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).contains(queue)
                    .doesNotContain("a-secret-word");
        }
        network.restore();
        awaitDrained();
        assertThat(stored("data ->> 'bound'", queue, "Default")).containsExactly("offset");
        assertThat(queen().pop(queue).message().get("data").asText()).isEqualTo("a-secret-word");
    }

    @Test
    void pushesAreRejectedWithoutTheKeyOrTheSpool() {
        queen().configure(queue, "{\"encryptionEnabled\":true}");
        try (Server keyless = open(
                Map.of("SPOOL_DIR", folder.resolve("keyless").toString(), "QUEEN_ENCRYPTION_KEY", ""));
                Server spoolless = open(Map.of("SPOOL_ENABLED", "false"));
                Server crowded = open(Map.of())) {
            cutPostgres();
            Answer refused = new QueenClient(keyless.url()).push(queue, "a", "1");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.json().get("error").asText()).contains("QUEEN_ENCRYPTION_KEY");
            assertThat(new QueenClient(spoolless.url()).push(queue, "a", "1").status()).isEqualTo(503);
            QueenClient there = new QueenClient(crowded.url());
            assertThat(there.push(queue, "a", "1").status()).isEqualTo(503);
            assertThat(there.get("/health/push").status()).isEqualTo(503);
            assertThat(there.get("/health").json().at("/spool/state").asText()).isEqualTo("broken");
            assertThat(there.get("/health").json().at("/spool/error").asText()).contains("in use by another");
            assertThat(there.get(MAINTENANCE).json().get("bufferHealthy").asBoolean()).isFalse();
        }
    }

    @Test
    void aFullSpoolRejectsPushesWithTheReason() {
        try (Server small = open(Map.of("SPOOL_DIR", folder.resolve("small").toString(), "SPOOL_MAX_BYTES", "1048576",
                "METRICS_REPORT_INTERVAL_MS", "100"))) {
            QueenClient there = new QueenClient(small.url());
            cutPostgres();
            String payload = "x".repeat(300_000);
            List<Integer> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                answers.add(there
                        .post("/api/v1/push",
                                "{\"items\":[{\"queue\":\"" + queue + "\",\"payload\":\"" + payload + "\"}]}")
                        .status());
            }
            assertThat(answers).containsExactly(201, 201, 201, 503, 503);
            network.restore();
            Await.until(() -> there.get("/health").json().at("/spool/pending").asInt() == 0);
            assertThat(stored(queue, "Default")).hasSize(3);
            assertThat(there.push(queue, "Default", "more").each("status")).containsExactly("queued");
            Await.until(() -> there.get("/api/v1/status?queue=" + queue).json().get("refusals").toString()
                    .equals("[{\"queue\":\"" + queue + "\",\"reason\":\"unavailable\",\"count\":2}]"));
        }
    }

    @Test
    void spooledMessagesThatPostgresRejectsAreSetAsideForAnOperator() {
        String full = queue + "-full";
        queen().configure(full, "{\"maxSize\":1}");
        queen().push(queue, "a", "0");
        queen().post(MAINTENANCE, "{\"enabled\":true}");
        queen().push(queue, "a", "1", "2");
        queen().push(full, "a", "1", "2");
        assertThat(queen().delete("/api/v1/resources/queues/" + queue).status()).isEqualTo(200);
        queen().post(MAINTENANCE, "{\"enabled\":false}");
        awaitDrained();

        JsonNode deleted = queen().get(SPOOL + "?queue=" + queue).json().get("refused");
        assertThat(deleted).hasSize(2);
        assertThat(deleted.get(0).get("transactionId").asText()).isEqualTo("1");
        assertThat(deleted.get(0).get("reason").asText()).contains("queue was deleted");
        JsonNode tooMany = queen().get(SPOOL + "?queue=" + full).json().get("refused");
        assertThat(tooMany).hasSize(1);
        assertThat(tooMany.get(0).get("reason").asText()).contains("maxSize");
        assertThat(queen().get(MAINTENANCE).json().at("/bufferStats/failedCount").asInt()).isEqualTo(3);
        assertThat(stored(queue, "a")).isEmpty();
        assertThat(stored(full, "a")).containsExactly("1");

        assertThat(
                queen().post(SPOOL + "/refused/retry", "{\"queue\":\"" + queue + "\"}").json().get("putBack").asInt())
                .isEqualTo(2);
        awaitDrained();
        assertThat(stored(queue, "a")).containsExactly("1", "2");
        assertThat(queen().delete(SPOOL + "/refused?messageId=" + tooMany.get(0).get("messageId").asText()).json()
                .get("dropped").asInt()).isEqualTo(1);
        assertThat(queen().get(SPOOL).json().get("refused")).isEmpty();
        Await.until(() -> queen().get("/health").json().at("/spool/refused").asInt() == 0);
        assertThat(queen().get("/api/v1/system/audit?target=spool").json().at("/records/0/action").asText())
                .isEqualTo("drop");
        assertThat(queen().post(SPOOL + "/refused/retry", "{\"messageId\":\"no\"}").status()).isEqualTo(400);
    }

    /** Pushes messages that PostgreSQL stores while its response is lost. */
    private CompletableFuture<Answer> pushWithLostResponse(String... transactionIds) {
        int before = stored(queue, "a").size();
        network.swallowAnswersTo(transactionIds[0]);
        CompletableFuture<Answer> pushed = queen().pushLater(queue, "a", transactionIds);
        Await.until(() -> stored(queue, "a").size() == before + transactionIds.length);
        network.cut();
        return pushed;
    }

    private static void cutPostgres() {
        network.cut();
        Await.until(() -> queen().get("/health").status() == 503);
    }

    private static void awaitConnected() {
        Await.until(() -> queen().get("/health").status() == 200);
    }

    private static void awaitDrained() {
        Await.until(() -> queen().get("/health").json().at("/spool/pending").asInt() == 0);
        awaitConnected();
    }

    private static QueenClient queen() {
        return new QueenClient(server.url());
    }

    private static List<String> stored(String queue, String partition) {
        return stored("transaction_id", queue, partition);
    }

    private static List<String> stored(String column, String queue, String partition) {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement("select " + column + " from queen.message"
                        + " where queue = ? and partition = ? order by \"offset\"")) {
            statement.setString(1, queue);
            statement.setString(2, partition);
            List<String> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> numbers(int from, int to) {
        return Stream.iterate(from, each -> each + 1).limit(to - from + 1).map(Object::toString).toList();
    }

    private static List<Path> filesIn(Path path) {
        try (Stream<Path> files = Files.list(path)) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Server open(Map<String, String> settings) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(network.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "QUEEN_ENCRYPTION_KEY", KEY, "DB_UNAVAILABLE_AFTER_MS", "500"));
        variables.put("SPOOL_ENABLED", "true");
        variables.put("SPOOL_DIR", folder.resolve("spool").toString());
        variables.putAll(settings);
        return Server.start(ConfigReader.read(variables));
    }
}
