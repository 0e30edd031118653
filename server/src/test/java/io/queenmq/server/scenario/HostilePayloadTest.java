package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that PostgreSQL cannot convert to text or jsonb must not fail any route for operators. */
class HostilePayloadTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @ParameterizedTest
    @ValueSource(strings = {"\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\u0000\"", "{\"\\u0000\":[\"\\udfff\"]}",
        "{\"transactionId\":\"\\ud83d\",\"data\":\"\\ud800\"}", "1e999999", "\"\\\\ud800 \\ufffe \\uffff\""})
    void everyRouteShowsTheMessage(String payload) {
        push("1", payload);
        push("2", payload);
        push("3", payload);
        JsonNode first = queen.pop(queue, "consumerGroup=g").message();
        String partition = first.get("partitionId").asText();

        for (String transactionId : List.of("1", "2")) {
            assertShown("/api/v1/messages/" + partition + "/" + transactionId, payload);
            assertAnswered("/api/v1/explain/" + partition + "/" + transactionId + "?group=g");
            assertThat(queen.get("/api/v1/explain/" + partition + "/" + transactionId + "?group=g").json()
                    .get("transactionId").asText()).isEqualTo(transactionId);
        }
        assertAnswered("/api/v1/messages?queue=" + queue);
        assertAnswered("/api/v1/status/queues/" + queue + "/messages");

        trace(partition, payload);
        assertShown("/api/v1/traces/" + partition + "/1", payload);
        assertShown("/api/v1/traces/by-name/" + queue, payload);

        assertThat(queen.post("/api/v1/messages/" + partition + "/3/dlq", "{\"consumerGroup\":\"g\"}").status())
                .isEqualTo(200);
        assertShown("/api/v1/dlq?queue=" + queue, payload);
        assertShown("/api/v1/dlq/" + partition + "/3", payload);
        assertAnswered("/api/v1/explain/" + partition + "/3?group=g");
        assertThat(queen.post("/api/v1/messages/" + partition + "/3/retry", "{\"consumerGroup\":\"g\"}").status())
                .isLessThan(300);
        assertThat(queen.delete("/api/v1/messages/" + partition + "/2").status()).isEqualTo(200);
        assertAnswered("/api/v1/explain/" + partition + "/2?group=g");
        Stream.of("/api/v1/explain/" + partition + "?group=g", "/api/v1/partitions/" + partition,
                "/api/v1/resources/queues/" + queue, "/api/v1/resources/partitions?queue=" + queue,
                "/api/v1/consumer-groups", "/api/v1/consumer-groups/g", "/api/v1/dlq/errors?queue=" + queue,
                "/api/v1/traces/names", "/api/v1/system/audit").forEach(this::assertAnswered);
    }

    /** An error text is not a payload: characters that PostgreSQL cannot store are replaced. */
    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "\\u0000", "a\\udc00b"})
    void errorsOfConsumersAreShown(String error) {
        queen.configure(queue, "{\"retryLimit\":0,\"deadLetterQueue\":true}");
        push("1", "1");
        JsonNode message = queen.pop(queue, "consumerGroup=g").message();
        Answer ack = queen.post("/api/v1/ack",
                "{\"transactionId\":\"1\",\"partitionId\":" + message.get("partitionId") + ",\"leaseId\":"
                        + message.get("leaseId") + ",\"consumerGroup\":\"g\",\"status\":\"failed\",\"error\":\"" + error
                        + "\"}");
        assertThat(ack.status()).as(ack.body()).isIn(200, 400);
        String partition = message.get("partitionId").asText();
        Stream.of("/api/v1/explain/" + partition + "/1?group=g", "/api/v1/explain/" + partition + "?group=g",
                "/api/v1/dlq?queue=" + queue, "/api/v1/dlq/errors?queue=" + queue,
                "/api/v1/messages/" + partition + "/1", "/api/v1/partitions/" + partition)
                .forEach(this::assertAnswered);
    }

    private void push(String transactionId, String payload) {
        Answer pushed = queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"p\","
                + "\"transactionId\":\"" + transactionId + "\",\"payload\":" + payload + "}]}");
        assertThat(pushed.status()).as(pushed.body()).isEqualTo(201);
    }

    private void trace(String partition, String data) {
        Answer traced = queen.post("/api/v1/traces", "{\"partitionId\":\"" + partition
                + "\",\"transactionId\":\"1\",\"data\":" + data + ",\"traceNames\":[\"" + queue + "\"]}");
        assertThat(traced.status()).as(traced.body()).isIn(200, 201);
    }

    private void assertShown(String path, String payload) {
        assertAnswered(path);
        assertThat(queen.get(path).body()).as(path).contains(payload);
    }

    private void assertAnswered(String path) {
        Answer answer = queen.get(path);
        assertThat(answer.status()).as(path + ": " + answer.body()).isEqualTo(200);
    }
}
