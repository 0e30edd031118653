package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Traces that consumers record for messages. */
class TraceTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void tracesAreFoundByMessageAndByName() {
        JsonNode message = message("1");
        trace(message, "{\"step\":1,\"big\":123456789012345678901234567890}", "[\"order 1\",\"" + queue + "\"]");
        trace(message, "\"just text\"", "\"order 1\"");
        trace(message("2"), "null", "null");

        Answer byMessage = queen.get("/api/v1/traces/" + path(message));
        JsonNode traces = byMessage.json().get("traces");
        assertThat(traces).hasSize(2);
        assertThat(Answer.fieldsOf(traces.get(0))).containsExactlyInAnyOrder("id", "event_type", "data",
                "consumer_group", "worker_id", "created_at", "trace_names");
        assertThat(byMessage.body()).contains("123456789012345678901234567890");
        assertThat(traces.get(1).get("data").asText()).isEqualTo("just text");
        assertThat(traces.get(0).get("consumer_group").asText()).isEqualTo("__QUEUE_MODE__");
        assertThat(traces.get(0).get("event_type").asText()).isEqualTo("info");
        JsonNode byName = queen.get("/api/v1/traces/by-name/order%201?limit=1&offset=1").json();
        assertThat(byName.get("total").asInt()).isEqualTo(2);
        assertThat(byName.get("traces").get(0).get("queue_name").asText()).isEqualTo(queue);
        assertThat(byName.get("traces").get(0).get("message_payload").get("text").asText()).isEqualTo("1");
        JsonNode names = queen.get("/api/v1/traces/names").json();
        assertThat(names.get("trace_names").get(0).get("trace_name").asText()).isEqualTo("order 1");
        assertThat(names.get("trace_names").get(0).get("trace_count").asInt()).isEqualTo(2);
        assertThat(names.get("trace_names").get(0).get("message_count").asInt()).isEqualTo(1);
    }

    @Test
    void deletingAMessageDeletesItsTraces() {
        JsonNode message = message("1");
        trace(message, "1", "[\"" + queue + "\"]");

        queen.delete("/api/v1/messages/" + path(message));

        assertThat(queen.get("/api/v1/traces/" + path(message)).json().get("traces")).isEmpty();
        assertThat(queen.get("/api/v1/traces/by-name/" + queue).json().get("total").asInt()).isZero();
    }

    @Test
    void malformedTracesAreRejected() {
        JsonNode message = message("1");

        assertThat(post("{\"partitionId\":" + message.get("partitionId") + ",\"transactionId\":\"1\"}"))
                .as("without data").isEqualTo(400);
        assertThat(post("{\"transactionId\":\"1\",\"data\":1}")).isEqualTo(400);
        assertThat(post("{\"partitionId\":" + message.get("partitionId") + ",\"transactionId\":\"2\",\"data\":1}"))
                .as("of an unknown message").isEqualTo(404);
        assertThat(post("")).isEqualTo(400);
    }

    private JsonNode message(String transactionId) {
        queen.push(queue, transactionId, transactionId);
        return queen.popPartition(queue, transactionId).message();
    }

    private void trace(JsonNode message, String data, String names) {
        Answer answer = queen.post("/api/v1/traces",
                "{\"partitionId\":" + message.get("partitionId") + ",\"transactionId\":" + message.get("transactionId")
                        + ",\"data\":" + data + ",\"traceNames\":" + names + ",\"consumerGroup\":null}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
        assertThat(answer.json().get("traceId").asText()).hasSize(36);
    }

    private int post(String body) {
        return queen.post("/api/v1/traces", body).status();
    }

    private static String path(JsonNode message) {
        return message.get("partitionId").asText() + "/" + message.get("transactionId").asText();
    }
}
