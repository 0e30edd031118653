package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.queenmq.client.operator.QueueOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** The notification about dead letters. */
class DeadLetterListenerTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = server.queen().queue(name, String.class);
    private final Seen seen = new Seen();
    private final ConsumerListener listener = new ConsumerListener() {
        @Override
        public void deadLettered(Delivery<?> delivery, String reason) {
            seen.add(delivery.value() + " after " + delivery.attempt() + ": " + reason);
        }
    };

    @BeforeEach
    void configure() {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(1).retryDelay(Duration.ZERO));
    }

    @Test
    void theLastAttemptIsReportedOnce() throws Exception {
        queue.push("x");
        run(queue.group("g").consumer().listener(listener), delivery -> {
            throw new IllegalStateException("no money");
        });

        assertThat(seen.values()).containsExactly("x after 2: java.lang.IllegalStateException: no money");
    }

    @Test
    void anOutcomeOfTheHandlerAndAnUndecodablePayloadAreReported() throws Exception {
        queue.push("x");
        try (var running = queue.group("g").consumer().listener(listener).stopWhenIdle(Duration.ofSeconds(1))
                .startWithOutcomes(delivery -> Outcome.deadLetter("invalid order"))) {
            running.awaitEnd();
        }
        assertThat(seen.values()).containsExactly("x after 1: invalid order");
    }

    @Test
    void aListenerThatThrowsDoesNotStopTheConsumer() throws Exception {
        queue.partition("a").pushAll(List.of("x", "y"));
        ConsumerListener broken = new ConsumerListener() {
            @Override
            public void deadLettered(Delivery<?> delivery, String reason) {
                throw new IllegalArgumentException("broken");
            }
        };
        try (var running = queue.group("g").consumer().listener(broken.andThen(listener))
                .stopWhenIdle(Duration.ofSeconds(1)).startWithOutcomes(delivery -> Outcome.deadLetter("no"))) {
            running.awaitEnd();
        }
        assertThat(seen.values()).containsExactly("x after 1: no", "y after 1: no");
        assertThat(server.pending(name)).isZero();
    }

    @Test
    void theLogLineStatesTheDeadLetter() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(ConsumerListener.class);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        logger.addAppender(events);
        try {
            queue.push("x");
            run(queue.group("g").consumer(), delivery -> {
                throw new IllegalStateException("no money");
            });
        } finally {
            logger.detachAppender(events);
        }
        assertThat(List.copyOf(events.list)).extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(each -> each.contains(name)).satisfiesExactly(
                        each -> assertThat(each).startsWith("handler failed for " + name).endsWith("(attempt 1)"),
                        each -> assertThat(each).startsWith("handler failed for " + name).endsWith("(attempt 2)"),
                        each -> assertThat(each).startsWith("message dead-lettered after attempt 2: " + name)
                                .endsWith("no money"));
    }

    private static void run(ConsumerBuilder<String> consumer, Handler<String> handler) throws InterruptedException {
        try (var running = consumer.stopWhenIdle(Duration.ofSeconds(1)).start(handler)) {
            running.awaitEnd();
        }
    }
}
