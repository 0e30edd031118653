package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.reply.Failure;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PushRouteTest {
    private static final String PUSH = "/api/v1/push";
    private static final UUID ORIGINAL = UUID.fromString("33333333-3333-7333-8333-333333333333");

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
    void everyFieldHasBothSpellings() throws Exception {
        api.engine.pushOutcomes = List.of(new PushOutcome.Queued(FakeEngine.PARTITION, 7),
                new PushOutcome.Duplicate(FakeEngine.PARTITION, ORIGINAL), new PushOutcome.Failed("no \"space\""));

        var answer = api.post(PUSH, """
                {"items":[{"queue":"q","transactionId":"t0","traceId":"0190a5e0-0000-7000-8000-00000000000a"},
                {"queue":"q","transactionId":"t\\"1"},{"queue":"q","transactionId":"t2"}]}""");

        var pushed = api.engine.next(PushCommand.class).items();
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(answer.body()).isEqualTo("""
                [{"index":0,"status":"queued","message_id":"ID","messageId":"ID",\
                "partition_id":"11111111-1111-4111-8111-111111111111","partitionId":"11111111-1111-4111-8111-111111111111",\
                "offset":7,"transaction_id":"t0","transactionId":"t0","trace_id":"0190a5e0-0000-7000-8000-00000000000a",\
                "traceId":"0190a5e0-0000-7000-8000-00000000000a","queueName":"q"},\
                {"index":1,"status":"duplicate","message_id":"33333333-3333-7333-8333-333333333333",\
                "messageId":"33333333-3333-7333-8333-333333333333",\
                "partition_id":"11111111-1111-4111-8111-111111111111","partitionId":"11111111-1111-4111-8111-111111111111",\
                "transaction_id":"t\\"1","transactionId":"t\\"1","trace_id":null,"traceId":null,"queueName":"q"},\
                {"index":2,"status":"failed","error":"no \\"space\\"","transaction_id":"t2","transactionId":"t2",\
                "trace_id":null,"traceId":null,"queueName":"q"}]""".replace("ID",
                pushed.getFirst().messageId().toString()));
    }

    @Test
    void noMessagesAreAnsweredWithoutTheEngine() throws Exception {
        var answer = api.post(PUSH, "{\"items\":[]}");

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("[]");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void oneInvalidMessageRejectsTheWholeRequest() throws Exception {
        var answer = api.post(PUSH, "{\"items\":[{\"queue\":\"q\"},{\"queue\":\"q\",\"traceId\":\"no\"}]}");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"error\":\"items[1].traceId must be a UUID\"}");
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void anEmptyBodyIsRejected() throws Exception {
        assertThat(api.post(PUSH, "").statusCode()).isEqualTo(400);
    }

    @Test
    void failuresReportWhetherARetryIsPossible() throws Exception {
        api.engine.failure = new Failure.Unavailable("no database");
        var unavailable = api.post(PUSH, "{\"items\":[{\"queue\":\"q\"}]}");
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(unavailable.headers().firstValue("retry-after")).hasValue("1");
        assertThat(unavailable.body())
                .isEqualTo("{\"success\":false,\"error\":\"no database\",\"outcome\":\"unknown\"}");

        api.engine.failure = new Failure.Overloaded("full");
        var overloaded = api.post(PUSH, "{\"items\":[{\"queue\":\"q\"}]}");
        assertThat(overloaded.statusCode()).isEqualTo(503);
        assertThat(overloaded.body()).contains("\"outcome\":\"none\"");

        api.engine.failure = Failure.Maintenance.OF_PUSH;
        assertThat(api.post(PUSH, "{\"items\":[{\"queue\":\"q\"}]}").body()).contains("\"outcome\":\"none\"");

        api.engine.failure = new Failure.Refused("no");
        var refused = api.post(PUSH, "{\"items\":[{\"queue\":\"q\"}]}");
        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.headers().firstValue("retry-after")).isEmpty();
    }

    @Test
    void bodiesUpToTheLimitAreAcceptedInAnyTransferCoding() throws Exception {
        String body = bodyOf(TestApi.BODY_BYTES_MAX);

        assertThat(api.post(PUSH, body).statusCode()).isEqualTo(201);
        assertThat(api.send(chunked(body)).statusCode()).isEqualTo(201);
    }

    @Test
    void largerBodiesAreRejectedByTheirContentLength() throws Exception {
        try (var socket = api.socket()) {
            TestApi.write(socket, "POST " + PUSH + " HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n");

            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 413").containsIgnoringCase("connection: close");
        }
    }

    @Test
    void largerChunkedBodiesAreRejectedWhileTheyAreReceived() throws Exception {
        try (var socket = api.socket()) {
            TestApi.write(socket, "POST " + PUSH + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + "x".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 4; i++) {
                TestApi.write(socket, chunk);
            }

            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 413");
        }
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void expect100ContinueIsAnswered() throws Exception {
        try (var socket = api.socket()) {
            String body = "{\"items\":[]}";
            TestApi.write(socket, "POST " + PUSH + " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: "
                    + body.length() + "\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 100");
            TestApi.write(socket, body);
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 201");
        }
    }

    private HttpRequest.Builder chunked(String body) {
        var bytes = HttpRequest.BodyPublishers.ofString(body);
        return api.request(PUSH).POST(HttpRequest.BodyPublishers.fromPublisher(bytes));
    }

    private static String bodyOf(int length) {
        String start = "{\"items\":[{\"queue\":\"q\",\"payload\":\"";
        String end = "\"}]}";
        return start + "x".repeat(length - start.length() - end.length()) + end;
    }
}
