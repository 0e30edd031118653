package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Headers stay with their message wherever it is moved, are stored in clear, and are bounded. */
class HeadersTest {
    private static final String HEADERS = "{\"traceparent\":\"00-a-b-01\", \"data\":\"x\", \"payload\":\"\\\"},{\", \"é\":\"\\n\"}";

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("QUEEN_ENCRYPTION_KEY", "0123456789abcdef".repeat(4)));

    private final ObjectMapper mapper = new ObjectMapper();
    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void consumersGetTheHeadersThatWerePushed() throws Exception {
        push(item("1", HEADERS, "{\"headers\":{\"not\":\"these\"}}") + "," + item("2", "null", "1") + ","
                + item("3", "{}", "1"));

        Answer popped = queen.popPartition(queue, "a", "batch=10");

        assertThat(popped.messages().getFirst().get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(popped.messages().getFirst().at("/data/headers/not").asText()).isEqualTo("these");
        assertThat(popped.messages().get(1).has("headers")).as("without headers nothing is stored or sent").isFalse();
        assertThat(popped.messages().get(2).has("headers")).isFalse();
    }

    @Test
    void aTransactionPushesHeadersToo() throws Exception {
        assertThat(queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[" + item("1", HEADERS, "1")
                + "]},{\"type\":\"push\",\"queue\":\"" + queue + "\",\"partition\":\"b\",\"headers\":" + HEADERS
                + ",\"payload\":2}]}").json().get("success").asBoolean()).isTrue();

        assertThat(queen.popPartition(queue, "a").message().get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(queen.popPartition(queue, "b").message().get("headers")).isEqualTo(mapper.readTree(HEADERS));
    }

    @Test
    void operatorsSeeHeadersAndDeadLettersAndRedrivesKeepThem() throws Exception {
        push(item("1", HEADERS, "1"));
        assertHeadersArePreservedByDeadLetterAndRedrive();
    }

    @Test
    void headersOfAnEncryptedMessageAreInClear() throws Exception {
        queen.configure(queue, "{\"encryptionEnabled\":true}");
        push(item("1", HEADERS, "\"a card number\""));

        assertThat(server.select(
                "select (headers ->> 'traceparent') || ' ' || is_encrypted from queen.message" + " where queue = ?",
                queue)).containsExactly("00-a-b-01 true");
        assertThat(server.select("select data::text from queen.message where queue = ?", queue))
                .noneMatch(data -> data.contains("a card number"));
        assertHeadersArePreservedByDeadLetterAndRedrive();
    }

    private void assertHeadersArePreservedByDeadLetterAndRedrive() throws Exception {
        JsonNode message = queen.popPartition(queue, "a").message();
        String path = message.get("partitionId").asText() + "/1";
        JsonNode payload = message.get("data");
        assertThat(message.get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(queen.get("/api/v1/messages/" + path).json().get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(queen.get("/api/v1/messages?queue=" + queue).json().at("/messages/0/headers"))
                .isEqualTo(mapper.readTree(HEADERS));
        queen.ack(message, "dlq");

        assertThat(queen.get("/api/v1/dlq/" + path).json().get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().at("/messages/0/headers"))
                .isEqualTo(mapper.readTree(HEADERS));
        queen.post("/api/v1/dlq/redrive", "{\"queue\":\"" + queue + "\"}");
        JsonNode again = queen.pop(queue, "wait=true", "timeout=60000").message();
        assertThat(again.get("headers")).isEqualTo(mapper.readTree(HEADERS));
        assertThat(again.get("data")).isEqualTo(payload);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"[] | headers must be an object", "\"x\" | headers must be an object",
        "{\"a\":1} | headers.a must be a string", "{\"a\":null} | headers.a must be a string",
        "{\"a\":{}} | headers.a must be a string", "{\"\":\"x\"} | headers: the name of a header must not be empty",
        "{\"a\":\"1\",\"a\":\"2\"} | headers must not have 'a' twice",
        "{\"a\":\"\\u0000\"} | headers.a must not contain the character NUL",
        "{\"a\":\"\\ud800\"} | headers.a must not contain an unpaired surrogate"})
    void malformedHeadersAreRejected(String headers, String error) {
        assertThat(refusal(headers)).startsWith("items[0].").contains(error);
    }

    @Test
    void headersAreBounded() {
        assertThat(accepts(many(64, 10))).isTrue();
        assertThat(refusal(many(65, 10))).contains("headers must have at most 64 names");
        assertThat(accepts("{\"a\":\"" + "x".repeat(4096 - 8) + "\"}")).isTrue();
        assertThat(refusal("{\"a\":\"" + "x".repeat(4096 - 7) + "\"}"))
                .contains("headers must not take more than 4096 bytes");
        assertThat(refusal("{\"" + "n".repeat(256) + "\":\"\"}")).contains("the name of a header must not be longer");
    }

    private static String many(int count, int length) {
        return IntStream.range(0, count).mapToObj(i -> "\"" + i + "\":\"" + "x".repeat(length) + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    private boolean accepts(String headers) {
        return queen.post("/api/v1/push", body(item("t" + headers.length(), headers, "1"))).status() == 201;
    }

    private String refusal(String headers) {
        Answer answer = queen.post("/api/v1/push", body(item("t", headers, "1")));
        assertThat(answer.status()).isEqualTo(400);
        return answer.json().get("error").asText();
    }

    private void push(String items) {
        assertThat(queen.post("/api/v1/push", body(items)).each("status")).containsOnly("queued");
    }

    private static String body(String items) {
        return "{\"items\":[" + items + "]}";
    }

    private String item(String transactionId, String headers, String payload) {
        return "{\"queue\":\"" + queue + "\",\"partition\":\"a\",\"transactionId\":\"" + transactionId
                + "\",\"headers\":" + headers + ",\"payload\":" + payload + "}";
    }
}
