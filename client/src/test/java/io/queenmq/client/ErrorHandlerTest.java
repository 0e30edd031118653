package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.operator.DeadLetter;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.QueueOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Error handlers and their chains. */
class ErrorHandlerTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

    @Test
    void failuresThatCannotSucceedAreNotRetried() throws Exception {
        run(ErrorHandler.notRetryable(IllegalArgumentException.class, IOException.class),
                new IllegalStateException(new IOException("invalid")), "a");

        assertThat(attempts.get("a")).hasValue(1);
        assertThat(errors()).containsExactly("java.lang.IllegalStateException: java.io.IOException: invalid");
    }

    @Test
    void otherFailuresAreRetriedAsOftenAsTheQueueAllows() throws Exception {
        run(ErrorHandler.notRetryable(IllegalArgumentException.class), new IllegalStateException("busy"), "a");

        assertThat(attempts.get("a")).hasValue(4);
    }

    @Test
    void theFirstHandlerThatDecidesWins() throws Exception {
        run(ErrorHandler.notRetryable(IllegalArgumentException.class).orElse(ErrorHandler.maxAttempts(2)),
                new IllegalStateException("busy"), "a");

        assertThat(attempts.get("a")).hasValue(2);
        assertThat(errors()).hasSize(1);
    }

    /** A custom handler that retries everything must not block the partition with a payload that cannot be decoded. */
    @Test
    void theRuleForUndecodableMessagesRemains() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(3).retryDelay(Duration.ZERO));
        server.queen().queue(name, Json.class).partition("p").pushAll(List.of(Json.of("7"), Json.of("\"good\"")));
        Seen seen = new Seen();
        try (var running = server.queen().queue(name, String.class).group("g").consumer()
                .errorHandler(ErrorHandler.standard()).stopWhenIdle(Duration.ofSeconds(1))
                .start(delivery -> seen.add(delivery.value() + delivery.attempt()))) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("good1");
        assertThat(errors()).singleElement().asString().contains("CodecException");
    }

    private void run(ErrorHandler errorHandler, Exception failure, String value) throws InterruptedException {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(3).retryDelay(Duration.ZERO));
        server.queen().queue(name, String.class).push(value);
        try (var running = server.queen().queue(name, String.class).group("g").consumer().errorHandler(errorHandler)
                .stopWhenIdle(Duration.ofSeconds(1)).start(delivery -> {
                    attempts.computeIfAbsent(delivery.value(), each -> new AtomicInteger()).incrementAndGet();
                    throw failure;
                })) {
            running.awaitEnd();
        }
    }

    private List<String> errors() {
        return server.queen().operator().deadLetters().list(MessageFilter.any().queue(name)).items().stream()
                .map(DeadLetter::error).toList();
    }
}
