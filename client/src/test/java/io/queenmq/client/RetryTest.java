package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.UnsentException.Unsent;
import io.queenmq.client.error.OutcomeUnknownException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.SeekTarget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retries of requests, and the errors of requests that must not be repeated. */
class RetryTest {
    private static final Pattern TRANSACTION_ID = Pattern.compile("\"transactionId\":\"([^\"]+)\"");

    private final AtomicInteger tokens = new AtomicInteger();
    private StubServer stub;
    private Queen queen;

    @BeforeEach
    void start() throws IOException {
        stub = new StubServer();
        queen = Queen.builder().url(stub.url()).token(() -> "token-" + tokens.incrementAndGet()).build();
    }

    @AfterEach
    void stop() {
        queen.close();
        stub.close();
    }

    @Test
    void aFailedPushIsRetriedWithTheSameTransactionId() {
        AtomicInteger failures = new AtomicInteger(2);
        stub.answering(request -> failures.getAndDecrement() > 0
                ? new StubServer.Answer(503, "{\"error\":\"busy\"}")
                : stored(request));

        queen.queue("q", String.class).push("1");

        assertThat(stub.asked()).hasSize(3);
        assertThat(stub.asked()).extracting(StubServer.Asked::body).containsOnly(stub.last().body());
        assertThat(stub.last().body()).containsPattern(TRANSACTION_ID);
    }

    @Test
    void theTokenIsReadForEachRequest() {
        AtomicInteger failures = new AtomicInteger(1);
        stub.answering(request -> failures.getAndDecrement() > 0 ? new StubServer.Answer(500, "") : stored(request));

        queen.queue("q", String.class).push("1");

        assertThat(stub.asked()).extracting(StubServer.Asked::authorization).containsExactly("Bearer token-1",
                "Bearer token-2");
    }

    @Test
    void aRejectedRequestIsNotRetried() {
        stub.answering(403, "{\"error\":\"not for you\"}");

        assertThatThrownBy(() -> queen.queue("q", String.class).push("1"))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused).hasMessage("not for you");
                    assertThat(refused.isAboutAccess()).isTrue();
                });
        assertThat(stub.asked()).hasSize(1);
    }

    @Test
    void aRequestThatMustNotBeRepeatedIsUnknownAtOnce() {
        stub.answering(500, "{\"error\":\"oops\"}");

        assertThatThrownBy(() -> queen.operator().groups().seek("g", "q", SeekTarget.end()))
                .isInstanceOf(OutcomeUnknownException.class).hasMessageContaining("oops");
        assertThat(stub.asked()).hasSize(1);
    }

    @Test
    void aFailureReportedAsNotExecutedIsNotUnknown() {
        stub.answering(503, "{\"error\":\"pushes are switched off for maintenance\",\"outcome\":\"none\"}");
        try (Queen hasty = Queen.builder().url(stub.url()).retryFor(Duration.ZERO).build()) {
            assertThatThrownBy(() -> hasty.queue("q", String.class).push("1")).isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("switched off").hasMessageNotContaining("may or may not");

            stub.answering(503, "{\"error\":\"PostgreSQL is away\",\"outcome\":\"unknown\"}");
            assertThatThrownBy(() -> hasty.queue("q", String.class).push("1"))
                    .isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    void aTransactionRejectedAfterALostResponseIsUnknown() {
        AtomicInteger failures = new AtomicInteger(1);
        stub.answering(request -> failures.getAndDecrement() > 0
                ? new StubServer.Answer(500, "")
                : new StubServer.Answer(200, "{\"success\":false,\"error\":\"a required lease has expired\"}"));

        assertThatThrownBy(() -> queen.transaction(tx -> tx.push("q", "a", "1")))
                .isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aRejectedMessageIsReported() {
        stub.answering(201, "[{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"},"
                + "{\"status\":\"failed\",\"error\":\"the queue is full\"}]");

        assertThatThrownBy(() -> queen.queue("q", String.class).pushAll(List.of("1", "2")))
                .isInstanceOfSatisfying(RejectedException.class, rejected -> {
                    assertThat(rejected).hasMessageContaining("the queue is full");
                    assertThat(rejected.results()).hasExactlyElementsOfTypes(PushResult.Queued.class,
                            PushResult.Rejected.class);
                });
    }

    @Test
    void oneInvalidMessageInABufferDoesNotFailTheOthers() {
        stub.answering(request -> request.body().contains("bad")
                ? new StubServer.Answer(400, "{\"error\":\"something is wrong with it\"}")
                : stored(request));

        BufferedPush<String> buffer = queen.queue("q", String.class).buffered().start();
        for (String each : List.of("1", "2", "bad", "3", "4")) {
            buffer.push(Message.of(each).transactionId("id-" + each));
        }

        assertThatThrownBy(buffer::close).isInstanceOfSatisfying(UnsentException.class,
                report -> assertThat(report.unsent()).extracting(Unsent::message).extracting(Message::transactionId)
                        .containsExactly("id-bad"));
        assertThat(stub.asked().stream().filter(each -> !each.body().contains("bad"))
                .flatMap(each -> TRANSACTION_ID.matcher(each.body()).results()).map(each -> each.group(1)))
                .containsExactly("id-1", "id-2", "id-3", "id-4");
    }

    @Test
    void aConsumerDoesNotFloodAServerThatNeverWaits() throws Exception {
        stub.answering(204, "");
        long sinceNs = System.nanoTime();

        try (var running = queen.queue("q", String.class).group("g").consumer().stopWhenIdle(Duration.ofSeconds(1))
                .start(d -> {})) {
            running.awaitEnd();
        }

        // Pauses of 50, 100, 200, 400, 800 and then 1000 ms; however slow the machine is, there are no more than these.
        long seconds = Duration.ofNanos(System.nanoTime() - sinceNs).toSeconds();
        assertThat(stub.asked()).hasSizeBetween(2, (int) (7 + seconds));
    }

    @Test
    void aPermanentlyRejectedConsumerEnds() throws Exception {
        stub.answering(400, "{\"error\":\"no such thing\"}");

        try (var running = queen.queue("q", String.class).group("g").consumer().start(d -> {})) {
            assertThatThrownBy(running::awaitEnd).isInstanceOf(RefusedException.class).hasMessage("no such thing");
        }
    }

    /** All messages of the request were stored. */
    private static StubServer.Answer stored(StubServer.Asked request) {
        Matcher ids = TRANSACTION_ID.matcher(request.body());
        return new StubServer.Answer(201,
                ids.results().map(each -> "{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"}")
                        .collect(Collectors.joining(",", "[", "]")));
    }
}
