package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Details of the HTTP API on which clients depend. */
class HttpDetailsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void anEmptyAckBatchReturnsAnEmptyArray() {
        Answer answer = queen.post("/api/v1/ack/batch", "{\"acknowledgments\":[]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("[]");
    }

    @Test
    void anEmptyPopHasNoBodyAndKeepsTheConnection() throws IOException {
        String request = "GET /api/v1/pop/queue/" + queue + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String last = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write((request + request + last).getBytes(StandardCharsets.US_ASCII));

            String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answers)
                    .matches("(?s)HTTP/1.1 204[^{]*\r\n\r\nHTTP/1.1 204[^{]*\r\n\r\nHTTP/1.1 200 .*healthy.*");
            assertThat(answers.split("HTTP/1.1 200")[0].toLowerCase()).doesNotContain("content-length")
                    .doesNotContain("transfer-encoding");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "plus+plus", "percent%41", "slash/partition", "ümlaut 👑", "a?b#c&d=e",
        "\"quoted\"", "back\\slash", "...", "a;b"})
    void aPartitionOfAnyNameCanBeReadBack(String partition) {
        String name = partition.replace("\\", "\\\\").replace("\"", "\\\"");
        assertThat(queen.push(queue, name, "1").each("status")).containsExactly("queued");

        JsonNode message = queen.popPartition(queue, partition).message();

        assertThat(message.get("partition").asText()).isEqualTo(partition);
        assertThat(queen.ack(message, "completed").get("partitionName").asText()).isEqualTo(partition);
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", "plus+plus", "percent%41", "ümlaut 👑", "a?b#c&d=e", "a;b"})
    void aQueueOfAnyNameCanBeReadAndDeleted(String name) {
        queen.push(name, "a", "1");

        assertThat(queen.pop(name).message().get("queue").asText()).isEqualTo(name);
        assertThat(
                queen.delete("/api/v1/resources/queues/" + QueenClient.encode(name)).json().get("existed").asBoolean())
                .isTrue();
    }

    @Test
    void aPlusInAPathIsAPlusAndInAQueryASpace() {
        queen.push(queue, "a+b", "1");

        Answer popped = queen.get("/api/v1/pop/queue/" + queue + "/partition/a+b?consumerGroup=my+group");

        assertThat(popped.message().get("consumerGroup").asText()).isEqualTo("my group");
    }

    @Test
    void timesAreInUtcForAnyTimeZoneOfTheDatabase() {
        String name = server.database().name();
        server.update("alter database " + name + " set timezone to 'Asia/Kathmandu'");
        try {
            QueenClient another = server.startAnother();
            another.push(queue, "a", "1");
            Answer popped = another.pop(queue);

            String createdAt = popped.message().get("createdAt").asText();
            String expiresAt = another.extend(popped.leaseId(), "{\"seconds\":3600}").json().get("newExpiresAt")
                    .asText();

            assertThat(createdAt).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
            assertThat(Duration.between(Instant.parse(createdAt), Instant.now()).abs())
                    .isLessThan(Duration.ofMinutes(5));
            assertThat(Duration.between(Instant.parse(expiresAt), Instant.now().plusSeconds(3600)).abs())
                    .isLessThan(Duration.ofMinutes(5));
        } finally {
            server.update("alter database " + name + " reset timezone");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "{\"seconds\":null}", "{\"seconds\":60}"})
    void aLeaseIsRenewedForAnyBody(String body) {
        queen.configure(queue, "{\"leaseTime\":20}");
        queen.push(queue, "a", "1");
        String leaseId = queen.pop(queue).leaseId();

        Answer answer = queen.extend(leaseId, body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(Instant.parse(answer.json().get("newExpiresAt").asText())).isAfter(Instant.now().plusSeconds(30));
    }

    @Test
    void aPartialReconfigurationKeepsTheOtherOptions() {
        queen.post("/api/v1/configure", "{\"queue\":\"" + queue
                + "\",\"namespace\":\"n\",\"task\":\"t\",\"options\":{\"leaseTime\":7,\"retryLimit\":9,\"priority\":3}}");

        JsonNode answer = queen.configure(queue, "{\"leaseTime\":8}").json();

        assertThat(answer.get("options").get("leaseTime").asInt()).isEqualTo(8);
        assertThat(answer.get("options").get("retryLimit").asInt()).isEqualTo(9);
        assertThat(answer.get("options").get("priority").asInt()).isEqualTo(3);
        assertThat(answer.get("namespace").asText()).isEqualTo("n");
        assertThat(answer.get("task").asText()).isEqualTo("t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"GET /api/v1/nowhere 404", "GET /nowhere 404", "GET /api/me 404",
        "GET /api/v1/pop 400", "POST /api/v1/pop/queue/q 405", "GET /api/v1/push 405", "POST /api/v1/configure 400",
        "POST /api/v1/transaction 400", "POST /api/v1/ack 400", "POST /api/v1/ack/batch 400",
        "POST /api/v1/lease/00000000-0000-4000-8000-000000000000/extend 404", "POST /api/v1/lease/nonsense/extend 404"})
    void errorsHaveAStatusAndAJsonBody(String method, String path, int status) {
        Answer answer = method.equals("GET") ? queen.get(path) : queen.post(path, "");

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.json().get("error").asText()).isNotEmpty();
        assertThat(answer.headers().firstValue("content-type")).contains("application/json");
    }

    @Test
    void aPopWithoutDeliverableMessagesIsEmptyAndNotAnError() {
        assertThat(queen.pop("no such queue").status()).isEqualTo(204);
        queen.push(queue, "a", "1");
        assertThat(queen.popPartition(queue, "no such partition").status()).isEqualTo(204);
        queen.popPartition(queue, "a");
        assertThat(queen.popPartition(queue, "a").status()).isEqualTo(204);
        assertThat(queen.pop(queue).status()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch=nonsense", "batch=0", "batch=-5", "partitions=0", "partitions=x", "timeout=x",
        "wait=maybe", "autoAck=yes", "unknown=1", "namespace=n&task=t", "batch=999999999999"})
    void malformedParametersAreIgnored(String parameter) {
        queen.push(queue, "a", "1");

        assertThat(queen.pop(queue, parameter).transactionIds()).containsExactly("1");
        assertThat(queen.popPartition(queue, "a", parameter, "consumerGroup=g").transactionIds()).containsExactly("1");
    }
}
