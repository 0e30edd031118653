package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.budget.ByteBudget.Share;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopCommand.Source;
import io.queenmq.engine.command.PopOutcome.Delivered;
import io.queenmq.engine.command.PopOutcome.Run;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.command.Subscription;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.reply.Failure;
import io.queenmq.server.http.FakeEngine;
import io.queenmq.server.http.TestApi;
import io.queenmq.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PopRouteTest {
    private static final UUID LEASE = UUID.fromString("44444444-4444-7444-8444-444444444444");
    private static final UUID OTHER_PARTITION = UUID.fromString("55555555-5555-4555-8555-555555555555");
    private static final long CREATED_MICROS = 1_704_067_200_000_007L;

    private final ByteBudget budget = new ByteBudget(1_000_000);
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
    void theResponseHasTheStoredLinesAndTheFieldsOfTheDelivery() throws Exception {
        api.engine.popOutcome = new Delivered("g", LEASE,
                List.of(run("p", FakeEngine.PARTITION, 1, 3, 2), run("p2", OTHER_PARTITION, 0, 1, 0)), share());

        var answer = api.get("/api/v1/pop/queue/q?consumerGroup=g");

        assertThat(answer.statusCode()).isEqualTo(200);
        String partition = ",\"createdAt\":\"2024-01-01T00:00:00.000007Z\",\"partition\":\"p\",\"partitionId\":\""
                + FakeEngine.PARTITION + "\",\"leaseId\":\"" + LEASE
                + "\",\"consumerGroup\":\"g\",\"queue\":\"q\",\"retryCount\":2,\"deliveryAttempt\":3,\"offset\":";
        assertThat(answer.body()).isEqualTo("{\"success\":true,\"queue\":\"q\",\"partition\":\"p\",\"partitionId\":\""
                + FakeEngine.PARTITION + "\",\"leaseId\":\"" + LEASE
                + "\",\"consumerGroup\":\"g\",\"partitionsClaimed\":2,\"messages\":[{\"id\":\"1\",\"data\":{}"
                + partition + "41}" + ",{\"id\":\"2\",\"data\":\"é\"" + partition + "42}"
                + ",{\"id\":\"0\",\"data\":null"
                + partition.replace("\"p\"", "\"p2\"")
                        .replace(FakeEngine.PARTITION.toString(), OTHER_PARTITION.toString())
                        .replace("\"retryCount\":2", "\"retryCount\":0")
                        .replace("\"deliveryAttempt\":3", "\"deliveryAttempt\":1")
                + "40}]}");
    }

    @Test
    void autoAckLeavesTheLeaseEmpty() throws Exception {
        api.engine.popOutcome = new Delivered(PopCommand.QUEUE_MODE, null, List.of(run("p", OTHER_PARTITION, 0, 1, 0)),
                share());

        assertThat(api.get("/api/v1/pop/queue/q?autoAck=true").body()).contains("\"leaseId\":\"\"")
                .doesNotContain("\"leaseId\":null");
        assertThat(api.engine.next(PopCommand.class).autoAck()).isTrue();
    }

    @Test
    void anEmptyResponseHasNoBodyAndKeepsTheConnection() throws Exception {
        try (var socket = api.socket()) {
            for (int i = 0; i < 2; i++) {
                TestApi.write(socket, "GET /api/v1/pop/queue/q HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 204")
                        .doesNotContainIgnoringCase("content-length");
            }
        }
    }

    @Test
    void missingParametersHaveDefaults() throws Exception {
        PopCommand command = popped("/api/v1/pop/queue/q");

        assertThat(command.source()).isEqualTo(new Source.Queue("q"));
        assertThat(command.group()).isEqualTo(PopCommand.QUEUE_MODE);
        assertThat(command.batch()).isEqualTo(1);
        assertThat(command.partitionsMax()).isEqualTo(1);
        assertThat(command.autoAck()).isFalse();
        assertThat(command.waitMax()).isZero();
        assertThat(command.subscription()).isEqualTo(Subscription.ALL);
        assertThat(command.isGone().getAsBoolean()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"batch=7,7", "batch=0,1", "batch=-3,1", "batch=x,1", "batch=,1", "batch=99999999999,1",
        "batch=20000,10000", "b%61tch=5,5"})
    void batchStaysInItsRange(String query, int batch) throws Exception {
        assertThat(popped("/api/v1/pop/queue/q?" + query).batch()).isEqualTo(batch);
    }

    @ParameterizedTest
    @CsvSource({"wait=true,30000", "wait=1&timeout=50,50", "wait=TRUE,0", "wait=false&timeout=9,0", "timeout=9,0",
        "wait=true&timeout=99999999,3600000", "wait=true&timeout=-5,0", "wait=true&timeout=abc,30000"})
    void waitingIsBounded(String query, long millis) throws Exception {
        assertThat(popped("/api/v1/pop/queue/q?" + query).waitMax()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"partitions=5,5", "partitions=0,1", "partitions=1000,100"})
    void partitionsStayInTheirRange(String query, int partitions) throws Exception {
        assertThat(popped("/api/v1/pop/queue/q?" + query).partitionsMax()).isEqualTo(partitions);
        assertThat(popped("/api/v1/pop/queue/q/partition/p?" + query).partitionsMax()).isEqualTo(1);
    }

    @Test
    void namesAreDecoded() throws Exception {
        assertThat(popped("/api/v1/pop/queue/a%20b+c%C3%A9/partition/x%2Fy%3F?consumerGroup=g+1%2B").source())
                .isEqualTo(new Source.Partition("a b+cé", "x/y?"));
        assertThat(popped("/api/v1/pop/queue/q?consumerGroup=g+1%2B").group()).isEqualTo("g 1+");
    }

    @Test
    void queuesAreFoundByNamespaceAndTask() throws Exception {
        assertThat(popped("/api/v1/pop?namespace=n&task=t").source()).isEqualTo(new Source.Filter("n", "t"));
        assertThat(popped("/api/v1/pop?task=t").source()).isEqualTo(new Source.Filter("", "t"));
        assertThat(api.get("/api/v1/pop").statusCode()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"subscriptionMode=new,NEW", "subscriptionMode=new-only,NEW", "subscriptionMode=now,NEW",
        "subscriptionMode=all,ALL", "subscriptionMode=whatever,ALL", "subscriptionMode=,ALL",
        "subscriptionFrom=now&subscriptionMode=all,NEW"})
    void subscriptionModes(String query, Subscription.Mode mode) throws Exception {
        assertThat(popped("/api/v1/pop/queue/q?consumerGroup=g&" + query).subscription())
                .isEqualTo(new Subscription(mode, null));
        assertThat(popped("/api/v1/pop/queue/q?" + query).subscription()).isEqualTo(Subscription.ALL);
    }

    @ParameterizedTest
    @CsvSource({"2024-01-31T12:00:00Z,2024-01-31T12:00Z", "2024-01-31T12:00:00.123456Z,2024-01-31T12:00:00.123456Z",
        "2024-01-31T12:00:00%2B02:00,2024-01-31T12:00+02:00", "2024-01-31T12:00:00+02:00,2024-01-31T12:00+02:00",
        "2024-01-31+12:00:00%2B00,2024-01-31T12:00Z", "2024-01-31%2012:00:00-0530,2024-01-31T12:00-05:30",
        "2024-01-31,2024-01-31T00:00Z", "2024-01-31T12:00,2024-01-31T12:00Z"})
    void momentsAreReadAsClientsWriteThem(String from, String moment) throws Exception {
        Subscription subscription = popped(
                "/api/v1/pop/queue/q?consumerGroup=g&subscriptionMode=new&subscriptionFrom=" + from).subscription();

        assertThat(subscription.mode()).isEqualTo(Subscription.Mode.TIMESTAMP);
        assertThat(subscription.fromAt()).isEqualTo(OffsetDateTime.parse(moment));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/pop/queue/a%2Fb", "/api/v1/pop/queue/a%00", "/api/v1/pop/queue/a%zz",
        "/api/v1/pop/queue/a%ff", "/api/v1/pop/queue/q/partition/%00", "/api/v1/pop/queue/q?consumerGroup=%00",
        "/api/v1/pop/queue/q?consumerGroup=g&subscriptionFrom=yesterday",
        "/api/v1/pop/queue/q?consumerGroup=g&subscriptionFrom=2024-13-01", "/api/v1/pop?namespace=%00"})
    void invalidParametersAreRejected(String path) throws Exception {
        try (var socket = api.socket()) {
            TestApi.write(socket, "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(TestApi.readHead(socket)).startsWith("HTTP/1.1 400");
        }
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void onlyNamesAboveTheLimitAreRejected() throws Exception {
        assertThat(api.get("/api/v1/pop/queue/" + "q".repeat(256)).statusCode()).isEqualTo(400);
        String name = "%F0%9F%98%80".repeat(255);
        assertThat(api.get("/api/v1/pop/queue/" + name + "/partition/" + name + "?consumerGroup=" + name).statusCode())
                .isEqualTo(204);
    }

    @Test
    void temporaryErrorsAreAnswered204() throws Exception {
        api.engine.failure = new Failure.Unavailable("no database");
        assertThat(api.get("/api/v1/pop/queue/q").statusCode()).isEqualTo(204);
        api.engine.failure = new Failure.Overloaded("full");
        assertThat(api.get("/api/v1/pop/queue/q").statusCode()).isEqualTo(503);
    }

    @Test
    void theLeaseOfADisconnectedClientIsReleased() throws Exception {
        api.engine.isSilent = true;
        PopCommand command;
        try (var socket = api.socket()) {
            TestApi.write(socket, "GET /api/v1/pop/queue/q?wait=true HTTP/1.1\r\nHost: x\r\n\r\n");
            command = api.engine.next(PopCommand.class);
            assertThat(command.isGone().getAsBoolean()).isFalse();
        }
        Await.until(command.isGone());
        api.engine.run(() -> command.reply().succeed(new Delivered("g", LEASE,
                List.of(run("p", OTHER_PARTITION, 0, 1, 0), run("p", OTHER_PARTITION, 1, 2, 0)), share())));

        assertThat(api.engine.next(ReleaseCommand.class))
                .isEqualTo(new ReleaseCommand(LEASE, "g", List.of(OTHER_PARTITION)));
        assertThat(budget.held()).isZero();
    }

    /** Opened as by the engine, with the bytes that were read. */
    private Share share() {
        Share share = budget.open();
        share.add(1_000);
        return share;
    }

    private PopCommand popped(String path) throws Exception {
        assertThat(api.get(path).statusCode()).isEqualTo(204);
        return api.engine.next(PopCommand.class);
    }

    private static Run run(String partition, UUID partitionId, int first, int end, int retryCount) {
        byte[] body = "{\"id\":\"0\",\"data\":null}\n{\"id\":\"1\",\"data\":{}}\n{\"id\":\"2\",\"data\":\"é\"}\n"
                .getBytes(StandardCharsets.UTF_8);
        return new Run("q", partition, partitionId, new Segment(40, CREATED_MICROS, new long[3], body), first, end,
                retryCount);
    }
}
