package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The responses to transactions, as clients read them. */
class TransactionContractTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void theResponseContainsAResultForEachItemAndAck() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        Answer answer = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                + "-out\",\"transactionId\":\"x\"},{\"queue\":\"" + queue + "-out\",\"transactionId\":\"y\"}]},"
                + "{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":" + message.get("partitionId")
                + "},{\"type\":\"push\",\"queue\":\"" + queue + "-out\",\"data\":5}],\"requiredLeases\":["
                + message.get("leaseId") + "]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("success").asBoolean()).isTrue();
        assertThat(answer.json().get("transactionId").asText()).isNotEmpty();
        JsonNode results = answer.json().get("results");
        assertThat(results).hasSize(4);
        assertThat(Answer.fieldsOf(results.get(0))).contains("index", "type", "success", "transactionId", "messageId",
                "partitionId", "queueName");
        assertThat(Answer.fieldsOf(results.get(2))).contains("index", "type", "success", "transactionId", "error",
                "dlq");
        assertThat(results.get(2).get("type").asText()).isEqualTo("ack");
        assertThat(results.get(3).get("index").asInt()).isEqualTo(3);
        Answer out = queen.pop(queue + "-out", "batch=9");
        assertThat(out.messages()).hasSize(3);
        assertThat(out.messages().get(0).get("data")).isEqualTo(Answer.parse("{}"));
        assertThat(out.messages().get(2).get("data").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "{\"operations\":[]}", "{\"operations\":{}}", "{\"operations\":[1]}",
        "{\"operations\":[{\"type\":\"push\",\"items\":[{}]}]}"})
    void aMalformedTransactionIsRejected(String body) {
        Answer answer = queen.transaction(body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().get("error").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"type\":\"nonsense\"}", "{}",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"00000000-0000-4000-8000-000000000000\"}",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"x\"}",
        "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"00000000-0000-4000-8000-000000000000\",\"status\":\"retry\"}"})
    void anImpossibleOperationFailsTheTransaction(String operation) {
        Answer answer = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                + "\"}]}," + operation + "],\"requiredLeases\":[]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("success").asBoolean()).isFalse();
        assertThat(answer.json().get("error").asText()).isNotEmpty();
        assertThat(answer.json().get("transactionId").asText()).isNotEmpty();
        assertThat(queen.pop(queue).isEmpty()).isTrue();
    }

    @Test
    void pushesOfATransactionBecomeVisibleTogether() {
        Answer answer = queen
                .transaction("{\"operations\":[" + push("a", "1") + "," + push("b", "2") + "," + push("a", "3") + "]}");

        assertThat(answer.json().get("success").asBoolean()).isTrue();
        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "3");
        assertThat(queen.popPartition(queue, "b", "batch=9").transactionIds()).containsExactly("2");
    }

    @Test
    void theSameTransactionIdTwiceInOneTransactionIsStoredOnce() {
        Answer answer = queen.transaction("{\"operations\":[" + push("a", "1") + "," + push("a", "1") + "]}");

        JsonNode results = answer.json().get("results");
        assertThat(answer.json().get("success").asBoolean()).isTrue();
        assertThat(results.get(1).get("messageId")).isEqualTo(results.get(0).get("messageId"));
        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("1");
    }

    private String push(String partition, String transactionId) {
        return "{\"type\":\"push\",\"items\":[{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\"}]}"
                .formatted(queue, partition, transactionId);
    }
}
