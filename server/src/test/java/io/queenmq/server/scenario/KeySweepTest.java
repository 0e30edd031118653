package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Key rotation: operators see the number of values per key, and upkeep encrypts them again. */
class KeySweepTest {
    private static final String OLD = "0123456789abcdef".repeat(4);
    private static final String NEW = "fedcba9876543210".repeat(4);
    private static final String QUEUE = "cards";
    private static final String STATE_KEY = "select substring(convert_from(value, 'UTF8') from '\"keyId\":\"([0-9a-f]+)\"')"
            + " from queen.stream_state";

    private final List<Server> servers = new ArrayList<>();
    private TestDatabase database;

    @BeforeEach
    void create() {
        database = InstalledDatabase.create();
    }

    @AfterEach
    void close() {
        servers.forEach(Server::close);
        database.close();
    }

    @Test
    void afterARotationAllMessagesUseTheNewKeyAndAreReadableWithoutTheOldOne() {
        QueenClient queen = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD));
        Set<String> pushed = fill(queen);
        awaitCounted(queen, 23);
        JsonNode before = encryption(queen).at("/queues/0/keys");
        assertThat(before).hasSize(1);
        String oldKey = before.get(0).get("keyId").asText();
        assertThat(before.get(0).get("messages").asInt()).isEqualTo(23);
        assertThat(before.get(0).get("bytes").asLong()).isPositive();
        stopAll();

        QueenClient rotated = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_OLD_KEYS", OLD));
        Await.until(() -> isUnused(rotated, oldKey) && isCounted(rotated, 23));
        assertThat(keyIds("select data ->> 'keyId' from queen.message")).hasSize(23).doesNotContain(oldKey);
        assertThat(keyIds("select substring(convert_from(line, 'UTF8') from '\"keyId\":\"([0-9a-f]+)\"')"
                + " from queen.dead_letter")).hasSize(1).doesNotContain(oldKey);
        assertThat(keyIds("select split_part(error, ':', 3) from queen.dead_letter")).hasSize(1).doesNotContain(oldKey);
        assertThat(rotated.get("/metrics/prometheus").body()).contains(
                "queen_encryption_messages{key=\"" + encryption(rotated).at("/keys/0/keyId").asText() + "\"} 23");
        stopAll();

        QueenClient withoutOld = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW));
        Set<String> popped = new HashSet<>();
        while (popped.size() < pushed.size()) {
            Answer answer = withoutOld.pop(QUEUE, "batch=100", "consumerGroup=all");
            assertThat(answer.status()).isEqualTo(200);
            answer.messages().forEach(message -> popped.add(message.at("/data/text").asText()));
        }
        assertThat(popped).isEqualTo(pushed);
        JsonNode letter = withoutOld.get("/api/v1/dlq?queue=" + QUEUE).json().at("/messages/0");
        assertThat(letter.at("/data/text").asText()).isEqualTo("dead");
        assertThat(letter.get("errorMessage").asText()).isEqualTo("declined");
    }

    /** During a rotation, a server without the new key must be able to read all stored messages. */
    @Test
    void nothingIsReencryptedWhileAServerDoesNotHaveTheNewKey() {
        QueenClient behind = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD, "REENCRYPTION_ENABLED", "false"));
        fill(behind);
        awaitCounted(behind, 23);
        String oldKey = encryption(behind).at("/queues/0/keys/0/keyId").asText();
        QueenClient rotated = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_OLD_KEYS", OLD));
        Await.until(() -> encryption(rotated).get("keys").size() == 2);
        assertThat(query("select is_allowed from " + api() + ".can_reencrypt('"
                + keyIdOtherThan(encryption(rotated).get("keys"), oldKey) + "')")).containsExactly("f");

        servers.removeFirst().close();
        // The remaining server takes over upkeep, and runs passes while the other one still counts as running.
        passes(3);
        assertThat(keyIds("select data ->> 'keyId' from queen.message")).containsOnly(oldKey);

        execute("update queen.server set seen_at = seen_at - interval '5 minutes' where seen_at < clock_timestamp() - interval '1 second'");
        Await.until(() -> isUnused(rotated, oldKey));
    }

    @Test
    void withReencryptionOffKeysAreOnlyShown() {
        QueenClient queen = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD));
        fill(queen);
        stopAll();

        QueenClient rotated = start(
                Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_OLD_KEYS", OLD, "REENCRYPTION_ENABLED", "false"));
        rotated.push(QUEUE, "0", "new");
        awaitCounted(rotated, 24);
        Await.until(() -> encryption(rotated).at("/queues/0/keys").size() == 2);

        JsonNode keys = encryption(rotated).at("/queues/0/keys");
        assertThat(List.of(keys.get(0).get("messages").asInt(), keys.get(1).get("messages").asInt()))
                .containsExactlyInAnyOrder(23, 1);
        Await.until(() -> encryption(rotated).at("/keys").findValuesAsText("deadLetters").contains("1"));
    }

    @Test
    void messagesInClearAndOfDisabledEncryptionAreCounted() {
        QueenClient queen = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD));
        queen.push(QUEUE, "a", "1", "2", "3");
        queen.configure(QUEUE, "{\"encryptionEnabled\":true}");
        queen.push(QUEUE, "a", "4");
        awaitCounted(queen, 4);
        queen.configure(QUEUE, "{\"encryptionEnabled\":false}");

        Await.until(() -> !encryption(queen).at("/queues/0/encryptionEnabled").asBoolean());
        JsonNode keys = encryption(queen).at("/queues/0/keys");
        assertThat(keys).hasSize(2);
        JsonNode clear = keys.get(0).get("keyId").isNull() ? keys.get(0) : keys.get(1);
        assertThat(clear.get("messages").asInt()).isEqualTo(3);
    }

    /** The same pass binds messages that were stored before bindings existed to their offsets. */
    @Test
    void unboundMessagesAreBound() {
        QueenClient queen = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD, "REENCRYPTION_ENABLED", "false"));
        queen.configure(QUEUE, "{\"encryptionEnabled\":true}");
        // Upkeep enables bindings again only when no server of an earlier release runs.
        execute("insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report)"
                + " values (gen_random_uuid(), 'earlier', 1, 'earlier', 1, now(), now() + interval '1 hour', 0)");
        execute("update queen.system_state set binds_messages = false");
        Await.until(() -> {
            queen.push(QUEUE, "a", "m" + System.nanoTime());
            return query("select data ->> 'bound' from queen.message").contains(null);
        });
        stopAll();
        execute("delete from queen.server where hostname = 'earlier'");
        execute("update queen.system_state set binds_messages = true");

        QueenClient next = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD));
        Await.until(() -> !query("select data ->> 'bound' from queen.message").contains(null));
        assertThat(next.popPartition(QUEUE, "a", "batch=100").status()).isEqualTo(200);
    }

    @Test
    void stateOfStreamQueriesIsReencrypted() {
        QueenClient queen = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD));
        queen.configure(QUEUE, "{\"encryptionEnabled\":true}");
        StreamClient stream = StreamClient.register(queen, QUEUE);
        queen.push(QUEUE, "a", "1");
        JsonNode message = stream.pop(1).message();
        String partitionId = message.get("partitionId").asText();
        stream.send(stream.cycle(partitionId).upsert("k", "\"a secret\"").ack(message));
        String oldKey = query(STATE_KEY).getFirst();
        String bytes = query("select octet_length(value) from queen.stream_state").getFirst();
        stopAll();

        QueenClient rotated = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_OLD_KEYS", OLD));
        Await.until(() -> !query(STATE_KEY).contains(oldKey) && isUnused(rotated, oldKey));
        assertThat(query("select octet_length(value) from queen.stream_state")).containsExactly(bytes);
        stopAll();

        QueenClient withoutOld = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW));
        assertThat(StreamClient.register(withoutOld, QUEUE).state(partitionId).json().at("/rows/0/value").asText())
                .isEqualTo("a secret");
    }

    /** Consumers read while all messages are encrypted again several times. */
    @Test
    void consumersReadAllMessagesWhileTheyAreReencrypted() {
        QueenClient first = start(Map.of("QUEEN_ENCRYPTION_KEY", OLD, "REENCRYPTION_ENABLED", "false"));
        first.configure(QUEUE, "{\"encryptionEnabled\":true}");
        Set<String> pushed = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            first.push(QUEUE, "p" + i % 5, "m" + i, "n" + i);
            pushed.add("m" + i);
            pushed.add("n" + i);
        }
        stopAll();
        QueenClient rotated = start(Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_OLD_KEYS", OLD));
        int round = 0;
        do {
            Set<String> popped = new HashSet<>();
            while (popped.size() < pushed.size()) {
                Answer answer = rotated.pop(QUEUE, "batch=7", "consumerGroup=g" + round, "autoAck=true");
                assertThat(answer.status()).isEqualTo(200);
                answer.messages().forEach(message -> popped.add(message.at("/data/text").asText()));
            }
            assertThat(popped).isEqualTo(pushed);
            round++;
        } while (keyIds("select distinct data ->> 'keyId' from queen.message").size() > 1 || round < 3);
    }

    private Set<String> fill(QueenClient queen) {
        queen.configure(QUEUE, "{\"encryptionEnabled\":true}");
        Set<String> texts = new HashSet<>();
        for (int i = 0; i < 11; i++) {
            queen.push(QUEUE, "p" + i % 3, "a" + i, "b" + i);
            texts.add("a" + i);
            texts.add("b" + i);
        }
        queen.push(QUEUE, "other", "dead");
        texts.add("dead");
        JsonNode message = queen.popPartition(QUEUE, "other").message();
        queen.ackBatch("__QUEUE_MODE__", QueenClient.acknowledgment(message, "dlq").put("error", "declined"));
        return texts;
    }

    private static void awaitCounted(QueenClient queen, int messages) {
        Await.until(() -> isCounted(queen, messages));
    }

    private static boolean isCounted(QueenClient queen, int messages) {
        JsonNode queue = encryption(queen).at("/queues/0");
        int counted = 0;
        for (JsonNode key : queue.path("keys")) {
            counted += key.get("messages").asInt();
        }
        return counted == messages && queue.path("unchecked").asInt(-1) == 0;
    }

    private static JsonNode encryption(QueenClient queen) {
        Answer answer = queen.get("/api/v1/system/encryption");
        assertThat(answer.status()).isEqualTo(200);
        return answer.json();
    }

    /** A server reports its keys, so an unused key stays in the list. */
    private static boolean isUnused(QueenClient queen, String keyId) {
        for (JsonNode key : encryption(queen).get("keys")) {
            if (keyId.equals(key.get("keyId").asText())) {
                return key.get("messages").asInt() == 0 && key.get("deadLetters").asInt() == 0
                        && key.get("streamStates").asInt() == 0;
            }
        }
        return false;
    }

    private static String keyIdOtherThan(JsonNode keys, String keyId) {
        return keyId.equals(keys.get(0).get("keyId").asText())
                ? keys.get(1).get("keyId").asText()
                : keys.get(0).get("keyId").asText();
    }

    /** Waits for passes of upkeep that begin after this call. */
    private void passes(int count) {
        for (int i = 0; i < count; i++) {
            String before = query("select max(checked_at) from queen.key_queue").getFirst();
            Await.until(() -> !query("select max(checked_at) from queen.key_queue").getFirst().equals(before));
        }
    }

    private QueenClient start(Map<String, String> settings) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", database.host(),
                "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER", database.user(),
                "PG_PASSWORD", database.password()));
        variables.putAll(
                Map.of("SPOOL_ENABLED", "false", "KEY_SWEEP_INTERVAL", "50", "METRICS_REPORT_INTERVAL_MS", "100"));
        variables.putAll(settings);
        Server server = Server.start(ConfigReader.read(variables));
        servers.add(server);
        return new QueenClient(server.url());
    }

    private void stopAll() {
        servers.forEach(Server::close);
        servers.clear();
        // A server that was stopped counts as running for two minutes.
        execute("update queen.server set seen_at = seen_at - interval '5 minutes'");
    }

    private String api() {
        return query("select queen.routines()").getFirst();
    }

    private List<String> keyIds(String sql) {
        return query(sql);
    }

    private List<String> query(String sql) {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        return found;
    }

    private void execute(String sql) {
        try (Connection connection = database.connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
