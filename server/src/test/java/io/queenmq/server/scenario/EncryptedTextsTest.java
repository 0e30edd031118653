package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.testkit.Await;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Errors and traces of encrypted queues are encrypted in the database and shown in clear to operators. */
class EncryptedTextsTest {
    private static final String KEY = "0123456789abcdef".repeat(4);
    private static final String ERROR = "card 4111 \"declined\"";
    private static final String ENCODED = "card%204111%20%22declined%22";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));

    private static QueenClient withoutKey;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startAnother() {
        withoutKey = server.startAnother(Map.of("QUEEN_ENCRYPTION_KEY", ""));
    }

    @Test
    void errorsOfDeadLettersAreStoredEncryptedAndShownInClear() {
        encrypt();
        JsonNode dead = deadLetter("1", ERROR);
        deadLetter("2", ERROR);
        deadLetter("3", "another");

        assertThat(storedErrors()).hasSize(3).allMatch(error -> error.startsWith("queen-sealed:t:"));
        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().get("messages"))
                .extracting(letter -> letter.get("errorMessage").asText())
                .containsExactlyInAnyOrder(ERROR, ERROR, "another");
        JsonNode groups = queen.get("/api/v1/dlq/errors?queue=" + queue).json().get("errors");
        assertThat(groups).hasSize(2);
        assertThat(groups.get(0).get("error").asText()).isEqualTo(ERROR);
        assertThat(groups.get(0).get("count").asInt()).isEqualTo(2);
        String path = dead.get("partitionId").asText() + "/1";
        assertThat(queen.get("/api/v1/messages/" + path).json().get("errorMessage").asText()).isEqualTo(ERROR);
        assertThat(queen.get("/api/v1/dlq/" + path).json().get("errorMessage").asText()).isEqualTo(ERROR);
        assertThat(queen.get("/api/v1/explain/" + path).body()).contains("card 4111").doesNotContain("queen-sealed");
    }

    @Test
    void lettersAreFoundRedrivenAndPurgedByTheirCompleteError() {
        encrypt();
        deadLetter("1", ERROR);
        deadLetter("2", "another");
        deadLetter("3", "a third");

        assertThat(queen.get("/api/v1/dlq?queue=" + queue + "&error=" + ENCODED).json().get("messages")).singleElement()
                .satisfies(letter -> assertThat(letter.get("transactionId").asText()).isEqualTo("1"));
        assertThat(queen.get("/api/v1/dlq/errors?queue=" + queue + "&error=another").json().get("errors")).hasSize(1);
        assertThat(queen.get("/api/v1/dlq?queue=" + queue + "&error=card").json().get("messages")).isEmpty();

        assertThat(queen.delete("/api/v1/dlq?queue=" + queue + "&error=another").json().get("purged").asInt()).isOne();
        queen.post("/api/v1/dlq/redrive",
                "{\"queue\":\"%s\",\"error\":\"card 4111 \\\"declined\\\"\"}".formatted(queue));

        assertThat(queen.pop(queue, "wait=true", "timeout=60000").transactionIds()).containsExactly("1");
        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().get("messages")).singleElement()
                .satisfies(letter -> assertThat(letter.get("transactionId").asText()).isEqualTo("3"));
    }

    @Test
    void errorsOfRetriesAreEncrypted() {
        encrypt();
        JsonNode message = push("1");
        assertThat(ack(queen, message, "failed", ERROR).get("success").asBoolean()).isTrue();

        assertThat(server.select("select f.error from queen.failure f join queen.partition p on p.id = f.partition_id"
                + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue)).singleElement().asString()
                .startsWith("queen-sealed:t:");
        assertThat(queen.get("/api/v1/messages/" + message.get("partitionId").asText() + "/1").json()
                .get("errorMessage").asText()).isEqualTo(ERROR);
    }

    @Test
    void aTransactionEncryptsTheErrorsOfItsAcks() {
        encrypt();
        ObjectNode ack = QueenClient.acknowledgment(push("1"), "dlq").put("type", "ack").put("error", ERROR);

        assertThat(queen.transaction("{\"operations\":[" + ack + "]}").json().get("success").asBoolean()).isTrue();

        assertThat(storedErrors()).singleElement().asString().startsWith("queen-sealed:t:");
    }

    @Test
    void otherQueuesKeepTheirErrorsInClear() {
        deadLetter("1", ERROR);

        assertThat(storedErrors()).containsExactly(ERROR);
        assertThat(queen.get("/api/v1/dlq?queue=" + queue + "&error=CARD").json().get("messages")).hasSize(1);
    }

    @Test
    void aServerWithoutAKeyStoresNoErrorOfAnEncryptedQueue() {
        encrypt();
        JsonNode message = push("1");
        Await.until(() -> withoutKey.get("/health").json().at("/warnings/0").asText().contains(queue)
                || withoutKey.get("/health").json().at("/warnings/0").asText().contains("QUEEN_ENCRYPTION_KEY"));
        // The warning may concern another queue, because this server loads the catalog once a second.
        Await.until(() -> withoutKey.push(queue, "other", "x").each("status").equals(List.of("failed")));

        assertThat(ack(withoutKey, message, "dlq", ERROR).get("success").asBoolean()).isTrue();

        assertThat(storedErrors()).singleElement().asString().contains("was not stored").doesNotContain("4111");
        assertThat(withoutKey.get("/api/v1/dlq?queue=" + queue).body()).doesNotContain("4111");
    }

    @Test
    void tracesAreStoredEncryptedAndShownInClear() {
        encrypt();
        JsonNode message = push("1");
        String body = trace(message);

        Answer refused = withoutKey.post("/api/v1/traces", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("error").asText()).contains("QUEEN_ENCRYPTION_KEY");
        assertThat(queen.post("/api/v1/traces", body).status()).isEqualTo(201);

        assertThat(server.select("select t.data::text from queen.trace t where t.partition_id = ?::uuid",
                message.get("partitionId").asText())).singleElement().asString().startsWith("\"queen-sealed:j:");
        String path = "/api/v1/traces/" + message.get("partitionId").asText() + "/1";
        assertThat(queen.get(path).json().at("/traces/0/data/card").asText()).isEqualTo("4111");
        assertThat(queen.get("/api/v1/traces/by-name/" + queue).json().at("/traces/0/data/card").asText())
                .isEqualTo("4111");
        assertThat(withoutKey.get(path).json().at("/traces/0/data").asText()).contains("does not have");
    }

    @Test
    void tracesOfOtherQueuesStayInClear() {
        JsonNode message = push("1");

        assertThat(queen.post("/api/v1/traces", trace(message)).status()).isEqualTo(201);
        assertThat(withoutKey.post("/api/v1/traces", trace(message)).status()).isEqualTo(201);

        assertThat(server.select("select t.data ->> 'card' from queen.trace t where t.partition_id = ?::uuid",
                message.get("partitionId").asText())).containsExactly("4111", "4111");
    }

    private String trace(JsonNode message) {
        return "{\"partitionId\":\"%s\",\"transactionId\":\"1\",\"data\":{\"card\":\"4111\"},\"traceNames\":[\"%s\"]}"
                .formatted(message.get("partitionId").asText(), queue);
    }

    private void encrypt() {
        queen.configure(queue, "{\"encryptionEnabled\":true}");
    }

    private JsonNode push(String transactionId) {
        queen.push(queue, transactionId, transactionId);
        return queen.popPartition(queue, transactionId).message();
    }

    private JsonNode deadLetter(String transactionId, String error) {
        JsonNode message = push(transactionId);
        assertThat(ack(queen, message, "dlq", error).get("success").asBoolean()).isTrue();
        return message;
    }

    private static JsonNode ack(QueenClient client, JsonNode message, String status, String error) {
        return client.ackBatch("__QUEUE_MODE__", QueenClient.acknowledgment(message, status).put("error", error)).list()
                .getFirst();
    }

    private List<String> storedErrors() {
        return server.select(
                "select d.error from queen.dead_letter d join queen.queue q on q.id = d.queue_id" + " where q.name = ?",
                queue);
    }
}
