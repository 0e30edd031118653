package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckCommand;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.AckItem.Status;
import io.queenmq.engine.command.AckOutcome;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.server.http.TestApi;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AckRouteTest {
    private static final String PARTITION = "11111111-1111-4111-8111-111111111111";
    private static final String LEASE = "44444444-4444-7444-8444-444444444444";

    private TestApi api;

    @BeforeEach
    void open() throws Exception {
        api = new TestApi();
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void oneAckIsAnsweredWithAListOfOne() throws Exception {
        api.engine.ackOutcomes = List.of(new AckOutcome("q", "p", null, true, false));

        var answer = api.post("/api/v1/ack", ack("\"leaseId\":\"" + LEASE
                + "\",\"status\":\"failed\",\"error\":\"bo\\u0000om\",\"consumerGroup\":\"g\""));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("[{\"index\":0,\"transactionId\":\"t\",\"success\":true,\"error\":null,"
                + "\"queueName\":\"q\",\"partitionName\":\"p\",\"leaseReleased\":true,\"dlq\":false}]");
        assertThat(api.engine.next(AckCommand.class).items()).containsExactly(
                new AckItem("t", UUID.fromString(PARTITION), "g", UUID.fromString(LEASE), Status.FAILED, "bo\ufffdom"));
    }

    @Test
    void nullCountsAsAbsent() throws Exception {
        api.post("/api/v1/ack", ack("\"leaseId\":null,\"status\":null,\"error\":null,\"consumerGroup\":null"));
        api.post("/api/v1/ack", ack("\"leaseId\":\"\""));

        AckItem item = new AckItem("t", UUID.fromString(PARTITION), PopCommand.QUEUE_MODE, null, Status.COMPLETED,
                null);
        assertThat(api.engine.next(AckCommand.class).items()).containsExactly(item);
        assertThat(api.engine.next(AckCommand.class).items()).containsExactly(item);
    }

    @ParameterizedTest
    @CsvSource({"completed,COMPLETED", "success,COMPLETED", "failed,FAILED", "retry,RETRY", "dlq,DLQ"})
    void statuses(String word, Status status) throws Exception {
        api.post("/api/v1/ack", ack("\"status\":\"" + word + "\""));

        assertThat(api.engine.next(AckCommand.class).items().getFirst().status()).isEqualTo(status);
    }

    @Test
    void invalidAcksFailAloneAndOthersAreProcessed() throws Exception {
        api.engine.ackOutcomes = List.of(new AckOutcome("q", "p", null, false, false),
                new AckOutcome("q", "p", "the lease is over", false, false));

        var answer = api.post("/api/v1/ack/batch",
                "{\"acknowledgments\":[" + ack("\"status\":\"done\"") + "," + ack("") + "," + ack("\"leaseId\":\"x\"")
                        + ",{\"transactionId\":\"t\",\"partitionId\":\"x\"},"
                        + "{\"transactionId\":\"\\u0000\",\"partitionId\":\"" + PARTITION + "\"},"
                        + ack("\"consumerGroup\":\"no\"") + "],\"consumerGroup\":\"g\"}");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body().replaceAll(",\"queueName.*?}", "}"))
                .isEqualTo("[{\"index\":0,\"transactionId\":\"t\",\"success\":false,"
                        + "\"error\":\"status must be completed, failed, retry or dlq\"},"
                        + "{\"index\":1,\"transactionId\":\"t\",\"success\":true,\"error\":null},"
                        + "{\"index\":2,\"transactionId\":\"t\",\"success\":false,\"error\":\"leaseId must be a UUID\"},"
                        + "{\"index\":3,\"transactionId\":\"t\",\"success\":false,\"error\":\"partitionId must be a UUID\"},"
                        + "{\"index\":4,\"transactionId\":\"\\u0000\",\"success\":false,"
                        + "\"error\":\"transactionId must not contain the character NUL\"},"
                        + "{\"index\":5,\"transactionId\":\"t\",\"success\":false,\"error\":\"the lease is over\"}]");
        assertThat(api.engine.next(AckCommand.class).items()).extracting(AckItem::group).containsExactly("g", "g");
    }

    @Test
    void anEmptyBatchIsAnsweredWithAnEmptyList() throws Exception {
        assertThat(api.post("/api/v1/ack/batch", "{\"acknowledgments\":[]}").body()).isEqualTo("[]");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{}", "{\"transactionId\":\"t\"}", "{\"partitionId\":\"" + PARTITION + "\"}",
        "{\"transactionId\":1,\"partitionId\":\"" + PARTITION + "\"}",
        "{\"transactionId\":null,\"partitionId\":\"" + PARTITION + "\"}",
        "{\"transactionId\":\"t\",\"partitionId\":{}}",
        "{\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION + "\",\"consumerGroup\":\"\\u0000\"}",
        "{\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION + "\",\"status\":5}"})
    void invalidAcksAreRejected(String body) throws Exception {
        assertThat(api.post("/api/v1/ack", body).statusCode()).isEqualTo(400);
        assertThat(api.post("/api/v1/ack/batch", "{\"acknowledgments\":[" + body + "}").statusCode()).isEqualTo(400);
    }

    @Test
    void errorsOfABatchContainTheirPath() throws Exception {
        assertThat(api.post("/api/v1/ack/batch", "{\"acknowledgments\":[" + ack("") + ",{}]}").body())
                .isEqualTo("{\"error\":\"acknowledgments[1].transactionId is missing\"}");
        assertThat(api.post("/api/v1/ack/batch", "{}").body())
                .isEqualTo("{\"error\":\"acknowledgments must be an array\"}");
    }

    private static String ack(String more) {
        return "{\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION + "\"" + (more.isEmpty() ? "" : "," + more)
                + "}";
    }
}
