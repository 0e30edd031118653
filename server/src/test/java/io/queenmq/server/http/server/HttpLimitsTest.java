package io.queenmq.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopOutcome.Delivered;
import io.queenmq.engine.command.PopOutcome.Run;
import io.queenmq.engine.command.PushCommand;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.partition.Segment;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import io.queenmq.testkit.Await;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Incomplete requests, slow clients and large bodies occupy limited memory for a limited time. */
@Timeout(120)
class HttpLimitsTest {
    private static final UUID LEASE = new UUID(1, 2);
    private static final Duration NEVER = Duration.ofMinutes(5);
    private static final Duration SOON = Duration.ofMillis(200);

    private TestApi api;

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @Test
    void aMissingBodyIsAnswered408AndTheConnectionCloses() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, NEVER, SOON, NEVER, 100));
        try (var socket = api.socket()) {
            TestApi.write(socket, "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{\"items\":");

            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 408");
            while (socket.getInputStream().read() >= 0) {
                continue;
            }
        }
        awaitRefused("body_slow", 1);
        Await.until(() -> held() == 0);
    }

    @Test
    void anIncompleteHeadClosesTheConnection() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, SOON, NEVER, NEVER, 100));
        try (var silent = api.socket(); var slow = api.socket()) {
            TestApi.write(slow, "POST /api/v1/push HTTP/1.1\r\nHost: ");

            assertThat(slow.getInputStream().read()).isEqualTo(-1);
            // An idle connection has no time limit.
            TestApi.write(silent, "GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(TestApi.readHead(silent)).startsWith("HTTP/1.1 200");
        }
        awaitRefused("head_slow", 1);
    }

    @Test
    void aConnectionMayBeIdleBetweenTwoRequests() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, SOON, SOON, SOON, 100));
        try (var socket = api.socket()) {
            for (int i = 0; i < 2; i++) {
                TestApi.write(socket, "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 204");
                Thread.sleep(2 * SOON.toMillis());
            }
        }
    }

    @Test
    void bodiesWaitForMemoryAndAreReadWhenItIsFree() throws Exception {
        api = new TestApi(limits(400_000, NEVER, NEVER, NEVER, NEVER, 100));
        api.engine.isSilent = true;
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 6; i++) {
                Socket socket = api.socket();
                sockets.add(socket);
                Thread.ofPlatform().daemon().start(() -> send(socket, push(150_000)));
            }
            // This number of bodies fits at a time. The others follow as these are answered.
            List<PushCommand> first = List.of(api.engine.next(PushCommand.class));
            awaitWaiting();
            assertThat(held()).isLessThanOrEqualTo(400_000);
            first.forEach(command -> api.engine.answer(command));
            for (int i = 1; i < 6; i++) {
                api.engine.answer(api.engine.next(PushCommand.class));
            }
            for (Socket socket : sockets) {
                assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 201");
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        Await.until(() -> held() == 0);
    }

    @Test
    void aBodyThatWaitedTooLongIsAnswered503AndItsConnectionLives() throws Exception {
        api = new TestApi(limits(400_000, SOON, NEVER, NEVER, NEVER, 100));
        api.engine.isSilent = true;
        try (var first = api.socket(); var second = api.socket()) {
            send(first, push(150_000));
            PushCommand command = api.engine.next(PushCommand.class);
            send(second, push(199_000));

            String refusal = TestApi.readHead(second);
            assertThat(refusal).startsWith("HTTP/1.1 503").containsIgnoringCase("retry-after: 1");
            awaitRefused("body_wait", 1);

            api.engine.answer(command);
            assertThat(TestApi.readHead(first)).startsWith("HTTP/1.1 201");
            api.engine.isSilent = false;
            readBody(second, refusal);
            send(second, push(199_000));
            assertThat(TestApi.readHead(second)).startsWith("HTTP/1.1 201");
        }
    }

    @Test
    void bytesCountUntilTheEngineIsDoneEvenIfTheClientDisconnected() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, NEVER, NEVER, NEVER, 100));
        api.engine.isSilent = true;
        PushCommand command;
        try (var socket = api.socket()) {
            send(socket, push(50_000));
            command = api.engine.next(PushCommand.class);
        }
        Await.until(() -> connections() == 0);
        assertThat(held()).isGreaterThan(50_000);

        api.engine.answer(command);

        Await.until(() -> held() == 0);
    }

    @Test
    void aClientThatDoesNotReadLosesItsConnectionAndItsLease() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, NEVER, NEVER, SOON, 100));
        ByteBudget budget = new ByteBudget(1 << 20);
        ByteBudget.Share share = budget.open();
        share.add(1);
        api.engine.popOutcome = new Delivered("g", LEASE, List.of(run(32 << 20)), share);
        try (var socket = api.socket()) {
            TestApi.write(socket, "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n");
            api.engine.next(PopCommand.class);

            assertThat(api.engine.next(ReleaseCommand.class).leaseId()).isEqualTo(LEASE);
        }
        Await.until(() -> budget.held() == 0);
        awaitRefused("answer_slow", 1);
    }

    @Test
    void aLargeResponseIsSentCompletelyAndItsMemoryIsReleased() throws Exception {
        api = new TestApi();
        ByteBudget budget = new ByteBudget(1 << 20);
        api.engine.popOutcome = new Delivered("g", LEASE, List.of(run(5_000_000), run(3_000_000)), budget.open());

        var answer = api.get("/api/v1/pop/queue/q");

        assertThat(answer.body()).startsWith("{\"success\":true").endsWith("]}").contains("x".repeat(5_000_000))
                .hasSizeBetween(8_000_000, 8_002_000);
        Await.until(() -> budget.held() == 0);
    }

    @Test
    void aConnectionAboveTheLimitIsClosed() throws Exception {
        api = new TestApi(limits(1 << 20, NEVER, NEVER, NEVER, NEVER, 2));
        try (var first = api.socket(); var second = api.socket()) {
            for (Socket socket : List.of(first, second)) {
                TestApi.write(socket, "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 204");
            }
            try (var third = api.socket()) {
                assertThat(third.getInputStream().read()).isEqualTo(-1);
            }
        }
        awaitRefused("connections", 1);
    }

    private static HttpConfig.Limits limits(long requestBytes, Duration bodyWait, Duration head, Duration body,
            Duration write, int connections) {
        return new HttpConfig.Limits(TestApi.BODY_BYTES_MAX, requestBytes, bodyWait, head, body, write,
                new HttpConfig.ConnectionLimits(connections, connections, NEVER));
    }

    private static String push(int payloadBytes) {
        String body = "{\"items\":[{\"queue\":\"q\",\"payload\":\"" + "x".repeat(payloadBytes) + "\"}]}";
        return "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void send(Socket socket, String request) {
        try {
            TestApi.write(socket, request);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void readBody(Socket socket, String head) throws IOException {
        String length = head.lines().filter(line -> line.toLowerCase().startsWith("content-length:")).findFirst()
                .orElseThrow().substring("content-length:".length()).strip();
        socket.getInputStream().readNBytes(Integer.parseInt(length));
    }

    private static Run run(int payloadBytes) {
        byte[] body = new byte[payloadBytes + 30];
        Arrays.fill(body, (byte) 'x');
        byte[] head = "{\"id\":\"0\",\"data\":\"".getBytes();
        System.arraycopy(head, 0, body, 0, head.length);
        body[body.length - 3] = '"';
        body[body.length - 2] = '}';
        body[body.length - 1] = '\n';
        return new Run("q", "p", FakeEngine.PARTITION, new Segment(0, 0, new long[1], body), 0, 1, 0);
    }

    private double held() {
        return api.meters.get("queen.bodies.bytes").gauge().value();
    }

    private double connections() {
        return api.meters.get("queen.connections").gauge().value();
    }

    private void awaitRefused(String reason, int count) {
        Await.until(() -> "refused for " + reason + ": " + refused(reason), () -> refused(reason) == count);
    }

    private double refused(String reason) {
        return api.meters.get("queen.refused").tag("reason", reason).counter().count();
    }

    private void awaitWaiting() {
        Await.until(() -> api.meters.get("queen.bodies.waiting").gauge().value() > 0);
    }
}
