package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A malformed request is rejected with a reason and affects no other request. */
class BadInputTest {
    private static final String LONG_NAME = "x".repeat(256);

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    static Stream<String> badPushes() {
        return Stream.of("", "{", "[]", "nonsense", "null", "{\"items\":1}", "{\"items\":{}}", "{}", "{\"items\":[1]}",
                "{\"items\":[{}]}", item("\"queue\":1"), item("\"queue\":null"), item("\"queue\":\"\""),
                item("\"queue\":\"a/b\""), item("\"queue\":\"" + LONG_NAME + "\""), item("\"queue\":\"a\\u0000b\""),
                item("\"queue\":\"q\",\"partition\":1"), item("\"queue\":\"q\",\"partition\":null"),
                item("\"queue\":\"q\",\"partition\":\"" + LONG_NAME + "\""),
                item("\"queue\":\"q\",\"partition\":\"a\\u0000\""), item("\"queue\":\"q\",\"transactionId\":{}"),
                item("\"queue\":\"q\",\"transactionId\":null"),
                item("\"queue\":\"q\",\"transactionId\":\"" + LONG_NAME + "\""),
                item("\"queue\":\"q\",\"transactionId\":\"\\u0000\""),
                item("\"queue\":\"q\",\"transactionId\":\"\\ud800\""),
                item("\"queue\":\"q\",\"traceId\":\"not-a-uuid\""), item("\"queue\":\"q\",\"traceId\":5"),
                item("\"queue\":\"q\",\"payload\":{"), item("\"queue\":\"q\",\"payload\":01"),
                "{\"items\":[{\"queue\":\"q\"}]}trailing");
    }

    @ParameterizedTest
    @MethodSource("badPushes")
    void aMalformedPushIsRejectedWithAReason(String body) {
        Answer answer = queen.post("/api/v1/push", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().get("error").asText()).isNotEmpty();
    }

    /** The error text must be written for clients, not taken from a library. */
    @Test
    void theErrorNamesTheFieldOrThePosition() {
        assertThat(error(queen.post("/api/v1/push", "{")))
                .isEqualTo("the body is not valid JSON: Unexpected end-of-input:"
                        + " expected close marker for Object (start marker at line: 1, column: 1), at line 1, column 2");
        assertThat(error(queen.post("/api/v1/push", "{\"items\":[{\"payload\":1}]}")))
                .isEqualTo("items[0].queue is missing");
        assertThat(error(queen.post("/api/v1/push", item("\"queue\":\"q\",\"headers\":{\"\":\"x\"}"))))
                .isEqualTo("items[0].headers: the name of a header must not be empty");
        assertThat(error(queen.get("/api/v1/push"))).isEqualTo("GET is not allowed at /api/v1/push, but POST is");
        assertThat(
                error(queen.post("/api/v1/consumer-groups/g/queues/q/seek", "{\"toEnd\":true,\"toBeginning\":true}")))
                .isEqualTo("give exactly one of toEnd, toBeginning and timestamp");
    }

    private static String error(Answer answer) {
        return answer.json().get("error").asText();
    }

    static Stream<String> badAcks() {
        return Stream.of("", "{", "[]", "{}", "{\"transactionId\":\"t\"}", "{\"partitionId\":\"p\"}",
                "{\"transactionId\":1,\"partitionId\":\"p\"}", "{\"transactionId\":null,\"partitionId\":\"p\"}",
                "{\"transactionId\":\"t\",\"partitionId\":1}");
    }

    @ParameterizedTest
    @MethodSource("badAcks")
    void aMalformedAckIsRejectedWithAReason(String body) {
        Answer one = queen.post("/api/v1/ack", body);
        Answer batch = queen.post("/api/v1/ack/batch", "{\"acknowledgments\":[" + body + "]}");

        assertThat(one.status()).isEqualTo(400);
        assertThat(one.json().get("error").asText()).isNotEmpty();
        if (!body.isEmpty()) {
            assertThat(batch.status()).isEqualTo(400);
        }
    }

    @Test
    void anAckBatchWithoutAnArrayIsRejected() {
        assertThat(queen.post("/api/v1/ack/batch", "{}").status()).isEqualTo(400);
        assertThat(queen.post("/api/v1/ack/batch", "{\"acknowledgments\":null}").status()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"not-a-uuid", "", "00000000-0000-0000-0000-00000000000g"})
    void anAckWithAMalformedPartitionIdFailsAlone(String partitionId) {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        Answer answer = queen.ackBatch("__QUEUE_MODE__",
                Answer.parse("{\"transactionId\":\"1\",\"partitionId\":\"" + partitionId + "\"}"),
                QueenClient.acknowledgment(message, "completed"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.each("success")).containsExactly("false", "true");
        assertThat(answer.list().getFirst().get("error").asText()).isNotEmpty();
    }

    @Test
    void anAckWithAnUnknownStatusFailsAloneAndKeepsTheLease() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        assertThat(queen.ack(message, "nonsense").get("success").asBoolean()).isFalse();

        assertThat(queen.ack(message, "completed").get("success").asBoolean()).isTrue();
    }

    @Test
    void anErrorTextMayContainAnyCharacter() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        JsonNode acked = queen
                .post("/api/v1/ack",
                        QueenClient.acknowledgment(message, "dlq")
                                .put("error", "\u0000 \ud83d\udc51 " + "long ".repeat(10_000)).toString())
                .list().getFirst();

        assertThat(acked.get("success").asBoolean()).isTrue();
        assertThat(acked.get("dlq").asBoolean()).isTrue();
    }

    @Test
    void anEmptyPushIsAcceptedAndStoresNothing() {
        Answer answer = queen.post("/api/v1/push", "{\"items\":[]}");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("[]");
    }

    @Test
    void aPushOfManyThousandMessagesIsStoredInOrder() {
        String[] ids = IntStream.range(0, 20_000).mapToObj(Integer::toString).toArray(String[]::new);

        Answer answer = queen.push(queue, "a", ids);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.each("status")).hasSize(ids.length).containsOnly("queued");
        List<String> read = new ArrayList<>();
        while (read.size() < ids.length) {
            Answer popped = queen.pop(queue, "batch=10000", "autoAck=true");
            assertThat(popped.status()).isEqualTo(200);
            read.addAll(popped.transactionIds());
        }
        assertThat(read).containsExactly(ids);
    }

    @Test
    void aBodyThatIsTooLargeIsRejected() {
        String body = QueenClient.items(queue, "a", "1").replace("\"text\":\"1\"",
                "\"text\":\"" + "x".repeat(67_108_864) + "\"");

        Answer answer = queen.post("/api/v1/push", body);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(queen.pop(queue).isEmpty()).isTrue();
    }

    @Test
    void validPushesInOneBatchWithInvalidOnesAreStored() {
        List<String> bad = badPushes().toList();
        List<CompletableFuture<Answer>> good = new ArrayList<>();
        List<CompletableFuture<Answer>> refused = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            good.add(queen.pushLater(queue, "partition-" + i % 10, "message-" + i));
            refused.add(queen.postLater("/api/v1/push", bad.get(i % bad.size())));
        }

        good.forEach(answer -> assertThat(answer.join().each("status")).containsExactly("queued"));
        refused.forEach(answer -> assertThat(answer.join().status()).isEqualTo(400));
        List<String> read = new ArrayList<>();
        for (int partition = 0; partition < 10; partition++) {
            read.addAll(queen.popPartition(queue, "partition-" + partition, "batch=100").transactionIds());
        }
        assertThat(read).hasSize(300).doesNotHaveDuplicates();
    }

    @Test
    void validAcksInOneBatchWithInvalidOnesAreApplied() {
        int partitions = 100;
        List<JsonNode> messages = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            queen.push(queue, "partition-" + i, "1");
            messages.add(queen.popPartition(queue, "partition-" + i).message());
        }
        List<CompletableFuture<Answer>> good = new ArrayList<>();
        List<CompletableFuture<Answer>> bad = new ArrayList<>();
        for (JsonNode message : messages) {
            bad.add(queen.postLater("/api/v1/ack",
                    QueenClient.acknowledgment(message, "completed").put("partitionId", "nonsense").toString()));
            bad.add(queen.postLater("/api/v1/ack",
                    QueenClient.acknowledgment(message, "completed").put("transactionId", "never pushed").toString()));
            good.add(queen.postLater("/api/v1/ack", QueenClient.acknowledgment(message, "completed").toString()));
        }

        good.forEach(answer -> assertThat(answer.join().each("success")).containsExactly("true"));
        bad.forEach(answer -> assertThat(answer.join().each("success")).containsExactly("false"));
        assertThat(queen.pop(queue).isEmpty()).isTrue();
    }

    private static String item(String fields) {
        return "{\"items\":[{" + fields + "}]}";
    }
}
