package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Payloads of encrypted queues are never in clear in the database, and always in clear for consumers. */
class EncryptionTest {
    private static final String KEY = "0123456789abcdef".repeat(4);
    private static final String OTHER_KEY = "fedcba9876543210".repeat(4);
    private static final String SECRET = "a card number";
    private static final String LOOKALIKE = "{\"encrypted\":\"eA==\",\"iv\":\"AAAAAAAAAAAAAAAA\",\"authTag\":\"AAAAAAAAAAAAAAAAAAAAAA==\",\"keyId\":\"00000000\"}";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));

    private static QueenClient there;
    private static QueenClient withoutKey;
    private static QueenClient rotated;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOthers() {
        there = server.startAnother();
        withoutKey = server.startAnother(Map.of());
        rotated = server.startAnother(Map.of("QUEEN_ENCRYPTION_KEY", OTHER_KEY, "QUEEN_ENCRYPTION_OLD_KEYS", KEY));
    }

    @Test
    void messagesAreStoredEncryptedAndDeliveredInClear() {
        encrypt();
        queen.post("/api/v1/push", item("1", "{\"text\":\"" + SECRET + "\",\"n\":123456789012345678901234567890}"));

        assertThat(stored()).hasSize(1).noneMatch(line -> line.contains(SECRET)).allMatch(this::isCiphertext);
        assertThat(queen.pop(queue).body())
                .contains("\"data\":{\"text\":\"" + SECRET + "\",\"n\":123456789012345678901234567890},\"createdAt\"")
                .doesNotContain("isEncrypted");
        assertThat(there.pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").body()).contains(SECRET);
    }

    @Test
    void operatorsSeePayloadsInClearAndRedrivenMessagesAreEncrypted() {
        encrypt();
        queen.post("/api/v1/push", item("1", "\"" + SECRET + "\""));
        JsonNode message = queen.pop(queue).message();
        String path = message.get("partitionId").asText() + "/" + message.get("transactionId").asText();
        queen.ack(message, "dlq");

        assertThat(queen.get("/api/v1/messages/" + path).json().get("payload").asText()).isEqualTo(SECRET);
        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().at("/messages/0/data").asText()).isEqualTo(SECRET);
        assertThat(withoutKey.get("/api/v1/dlq?queue=" + queue).body()).contains("authTag").doesNotContain(SECRET);

        queen.post("/api/v1/dlq/redrive", "{\"queue\":\"" + queue + "\"}");

        // Any server may have run the redrive, including the one that encrypts with another key and has both keys.
        assertThat(rotated.pop(queue, "wait=true", "timeout=60000").message().get("data").asText()).isEqualTo(SECRET);
        assertThat(stored()).hasSize(2).allMatch(this::isCiphertext);
    }

    @Test
    void aTransactionEncryptsItsPushes() {
        encrypt();

        Answer answer = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":["
                + "{\"queue\":\"%s\",\"payload\":\"%s\"}]}]}".formatted(queue, SECRET));

        assertThat(answer.json().get("success").asBoolean()).isTrue();
        assertThat(stored()).hasSize(1).allMatch(this::isCiphertext);
        assertThat(queen.pop(queue).message().get("data").asText()).isEqualTo(SECRET);
    }

    @Test
    void duplicatesAreRecognizedAndDeadLettersStayEncrypted() {
        queen.configure(queue, "{\"encryptionEnabled\":true,\"retryLimit\":0}");
        queen.post("/api/v1/push", item("1", "\"" + SECRET + "\""));
        assertThat(queen.post("/api/v1/push", item("1", "2")).each("status")).containsExactly("duplicate");

        queen.ack(queen.pop(queue).message(), "failed");

        assertThat(server.select("select convert_from(d.line, 'UTF8') from queen.dead_letter d join queen.queue q on"
                + " q.id = d.queue_id where q.name = ?", queue)).hasSize(1).allMatch(this::isCiphertext);
    }

    /** Encryption fails closed. */
    @Test
    void aServerWithoutAKeyRejectsPushesAndStoresNothing() {
        encrypt();
        String open = server.newQueue();

        Answer answer = withoutKey.post("/api/v1/push", """
                {"items":[{"queue":"%s","payload":"%s"},{"queue":"%s","payload":"clear"}]}""".formatted(queue, SECRET,
                open));

        assertThat(answer.each("status")).containsExactly("failed", "queued");
        assertThat(answer.list().getFirst().get("error").asText()).contains("QUEEN_ENCRYPTION_KEY");
        JsonNode aborted = withoutKey
                .transaction("{\"operations\":[{\"type\":\"push\",\"queue\":\"%s\"}]}".formatted(queue)).json();
        assertThat(aborted.get("success").asBoolean()).isFalse();
        assertThat(aborted.get("error").asText()).contains("QUEEN_ENCRYPTION_KEY");
        assertThat(stored()).isEmpty();
    }

    @Test
    void aServerWithoutAKeyEnablesEncryptionIfAnotherHasOneAndWarns() {
        Await.until(() -> withoutKey.configure(queue, "{\"encryptionEnabled\":true}").status() == 200);

        Await.until(() -> withoutKey.get("/health").json().at("/warnings/0").asText().contains("QUEEN_ENCRYPTION_KEY"));
        assertThat(queen.get("/health").json().get("warnings")).isEmpty();
        queen.post("/api/v1/push", item("1", "\"" + SECRET + "\""));
        assertThat(stored()).hasSize(1).allMatch(this::isCiphertext);
    }

    @Test
    void equalIdsInOneRequestAreBothRejectedWithoutAKey() {
        encrypt();

        assertThat(withoutKey.push(queue, "a", "1", "1", "2").each("status")).containsExactly("failed", "failed",
                "failed");
    }

    @Test
    void aServerWithoutTheKeyDeliversNothingAndLeasesNoPartition() {
        encrypt();
        queen.push(queue, "a", "1");

        Answer answer = withoutKey.pop(queue, "wait=true", "timeout=60000");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().get("error").asText()).startsWith("message ").contains("does not have");

        assertThat(queen.popPartition(queue, "a", "wait=true", "timeout=60000").transactionIds()).containsExactly("1");
    }

    @Test
    void messagesOfAPreviousKeyStayReadable() {
        encrypt();
        queen.push(queue, "a", "old");
        Await.until(() -> rotated.push(queue, "a", "new").status() == 201);

        assertThat(server.select("select count(distinct data ->> 'keyId') from queen.message where queue = ?", queue))
                .containsExactly("2");
        assertThat(rotated.popPartition(queue, "a", "batch=10", "wait=true", "timeout=60000").messages())
                .extracting(message -> message.get("data").get("text").asText()).containsExactly("old", "new");
    }

    @Test
    void aPayloadThatResemblesCiphertextIsDeliveredUnchanged() {
        queen.post("/api/v1/push", item("1", LOOKALIKE));
        encrypt();
        queen.post("/api/v1/push", item("2", LOOKALIKE));

        assertThat(queen.pop(queue, "batch=2").messages()).hasSize(2)
                .allSatisfy(message -> assertThat(message.get("data")).isEqualTo(Answer.parse(LOOKALIKE)));
    }

    @Test
    void storedMessagesStayReadableAfterEncryptionIsDisabled() {
        encrypt();
        queen.push(queue, "a", "1");
        queen.configure(queue, "{\"encryptionEnabled\":false}");

        Await.until(() -> {
            queen.push(queue, "a", "x" + System.nanoTime());
            return stored().stream().anyMatch(line -> !isCiphertext(line));
        });
        assertThat(queen.popPartition(queue, "a", "batch=1").message().get("data").get("text").asText()).isEqualTo("1");
    }

    /** After the response to configure, no server stores messages in clear, whatever its catalog contains. */
    @Test
    void noServerStoresInClearAfterTheResponseToConfigure() {
        for (int round = 0; round < 20; round++) {
            String fresh = server.newQueue();
            there.push(fresh, "a", "before");
            assertThat(server.select("select is_encrypted from queen.message where queue = ?", fresh))
                    .containsExactly("f");

            queen.configure(fresh, "{\"encryptionEnabled\":true}");
            there.push(fresh, "a", "after");
            there.transaction(
                    "{\"operations\":[{\"type\":\"push\",\"queue\":\"%s\",\"partition\":\"b\"}]}".formatted(fresh));

            assertThat(
                    server.select("select is_encrypted from queen.message where queue = ? order by created_at", fresh))
                    .containsExactly("f", "t", "t");
        }
    }

    /** The same with continuous pushes: no message is stored in clear after the response. */
    @Test
    void configureWaitsForPushesUnderWay() {
        for (int round = 0; round < 3; round++) {
            String fresh = server.newQueue();
            there.push(fresh, "0", "first");
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<Void>> producers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String partition = "partition-" + i;
                producers.add(CompletableFuture.runAsync(() -> {
                    for (int n = 0; !isOver.get(); n++) {
                        there.push(fresh, partition, "m" + n);
                    }
                }, task -> Thread.ofVirtual().start(task)));
            }
            Await.until(() -> count(fresh, false) > 20);

            queen.configure(fresh, "{\"encryptionEnabled\":true}");
            long inClear = count(fresh, false);

            Await.until(() -> count(fresh, true) > 20);
            isOver.set(true);
            producers.forEach(CompletableFuture::join);
            assertThat(count(fresh, false)).isEqualTo(inClear);
        }
    }

    private static long count(String queue, boolean isEncrypted) {
        return Long.parseLong(server.select(
                "select count(*) from queen.queue q join queen.partition p on p.queue_id = q.id"
                        + " join queen.segment s on s.partition_id = p.id"
                        + " where q.name = ? and (convert_from(s.body, 'UTF8') like '%,\"isEncrypted\":true}%') = ?",
                queue, isEncrypted).getFirst());
    }

    private void encrypt() {
        queen.configure(queue, "{\"encryptionEnabled\":true}");
    }

    private String item(String transactionId, String payload) {
        return "{\"items\":[{\"queue\":\"%s\",\"transactionId\":\"%s\",\"payload\":%s}]}".formatted(queue,
                transactionId, payload);
    }

    private List<String> stored() {
        return server.select(
                "select line from queen.partition p join queen.queue q on q.id = p.queue_id join"
                        + " queen.segment s on s.partition_id = p.id cross join lateral"
                        + " string_to_table(rtrim(convert_from(s.body, 'UTF8'), e'\\n'), e'\\n') line where q.name = ?",
                queue);
    }

    private boolean isCiphertext(String line) {
        return line.contains("\"data\":{\"encrypted\":\"") && line.endsWith(",\"isEncrypted\":true}");
    }
}
