package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines of the client: state changes are logged once, not at each retry. */
class LogTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.queenmq.client");
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    @BeforeEach
    void listen() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(appender);
    }

    @Test
    void anOutageIsLoggedOnceAtItsBeginningAndEnd() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        AtomicInteger failuresMax = new AtomicInteger(Integer.MAX_VALUE);
        AtomicInteger welcomes = new AtomicInteger();
        try (StubServer stub = new StubServer(); Queen queen = Queen.connect(stub.url())) {
            stub.answering(request -> {
                if (failures.get() < failuresMax.get()) {
                    failures.incrementAndGet();
                    return new StubServer.Answer(503, "{\"error\":\"PostgreSQL is away\"}");
                }
                welcomes.incrementAndGet();
                return new StubServer.Answer(204, "");
            });
            try (var _ = queen.queue("q", String.class).group("g").consumer().concurrency(8).start(d -> {});
                    var _ = queen.queue("r", String.class).group("g").consumer().concurrency(8).start(d -> {})) {
                Await.until("many failures", () -> failures.get() >= 60);
                failuresMax.set(0);
                Await.until("it is back", () -> welcomes.get() >= 16);
            }
        }

        assertThat(messages(Level.WARN)).singleElement().asString().contains("503", "PostgreSQL is away");
        assertThat(messages(Level.INFO)).singleElement().asString().contains("available again");
        assertThat(messages(Level.ERROR)).isEmpty();
    }

    @Test
    void theFirstPopAfterAFailureWaitsForASecondOnly() throws Exception {
        try (StubServer stub = new StubServer(); Queen queen = Queen.connect(stub.url())) {
            stub.answering(request -> new StubServer.Answer(stub.asked().size() == 1 ? 503 : 204, ""));
            try (var _ = queen.queue("q", String.class).group("g").consumer().start(d -> {})) {
                Await.until("three requests", () -> stub.asked().size() >= 3);
            }

            assertThat(stub.asked().subList(0, 3))
                    .extracting(each -> each.line().replaceAll(".*timeout=(\\d+).*", "$1")).as("how long each may wait")
                    .containsExactly("30000", "1000", "30000");
        }
    }

    @Test
    void rejectedPopsAreLoggedOnce() throws Exception {
        try (StubServer stub = new StubServer(); Queen queen = Queen.connect(stub.url())) {
            stub.answering(403, "{\"error\":\"not for you\"}");
            try (var _ = queen.queue("q", String.class).group("g").consumer().concurrency(8).start(d -> {})) {
                Await.until("several refusals", () -> stub.asked().size() >= 16);
            }
        }

        assertThat(messages(Level.WARN)).singleElement().asString().contains("not for you");
    }

    @Test
    void anUnknownHostIsNamed() {
        try (Queen queen = Queen.builder().url("http://nowhere.invalid:6632").retryFor(Duration.ZERO).build()) {
            assertThatThrownBy(() -> queen.queue("q", String.class).push("1")).isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("http://nowhere.invalid:6632: unknown host");
        }
    }

    @Test
    void aRefusedConnectionIsNamed() {
        String url = TestServer.url(FreePort.choose());
        try (Queen queen = Queen.builder().url(url).retryFor(Duration.ZERO).build()) {
            assertThatThrownBy(() -> queen.queue("q", String.class).push("1")).isInstanceOf(UnavailableException.class)
                    .hasMessageContaining(url).hasMessageContaining("connection refused").message()
                    .doesNotContain("java.net");
        }
    }

    private List<String> messages(Level level) {
        return events.stream().filter(each -> each.getLevel() == level).map(ILoggingEvent::getFormattedMessage)
                .toList();
    }
}
