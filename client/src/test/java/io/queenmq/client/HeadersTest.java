package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.MessageFilter;
import io.queenmq.client.operator.MessageSummary;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Headers of messages, and traces in headers. */
class HeadersTest {
    private static final String TRACE = "trace";
    private static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final GroupView<String> group = server.queen().queue(name, String.class).group("billing");
    private final Message<String> message = Message.of("x").header("kind", "order").header("é \"", "\n");
    private final Seen seen = new Seen();
    private final Seen batches = new Seen();
    private Queen queen;

    /** Uses the trace of the calling thread. */
    static final class ByThread implements Tracing {
        @Override
        public PushTrace startPush(String queue, String partition, int messages) {
            Map<String, String> headers = CURRENT.get() == null ? Map.of() : Map.of(TRACE, CURRENT.get());
            return new PushTrace() {
                @Override
                public Map<String, String> headers() {
                    return headers;
                }

                @Override
                public void end(Throwable failure) {}
            };
        }

        @Override
        public <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception {
            CURRENT.set(delivery.headers().get(TRACE));
            try {
                return handler.call();
            } finally {
                CURRENT.remove();
            }
        }

        @Override
        public <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception {
            return handling(partition.getFirst(), handler);
        }
    }

    @BeforeEach
    void connect() {
        server.queen().operator().queues().configure(name, QueueOptions.of());
        queen = Queen.builder().url(server.url()).tracing(new ByThread()).build();
    }

    @AfterEach
    void close() {
        CURRENT.remove();
        queen.close();
    }

    @Test
    void headersAreDeliveredAsPushed() {
        server.queen().queue(name, String.class).pushMessages(List.of(message, Message.of("y")));

        try (Batch<String> batch = group.pop(PopOptions.DEFAULT.batch(2))) {
            assertThat(batch.deliveries().getFirst().headers()).isEqualTo(message.headers());
            assertThat(batch.deliveries().getLast().headers()).isEmpty();
            Delivery<String> first = batch.deliveries().getFirst();
            assertThat(server.queen().operator().messages().find(first.partitionId(), first.transactionId())
                    .orElseThrow().summary().headers()).isEqualTo(message.headers());
            assertThat(server.queen().operator().messages().list(MessageFilter.any().queue(name)))
                    .extracting(MessageSummary::headers).containsExactly(Map.of(), message.headers());
            batch.deadLetter(first, "no");
        }
        assertThat(server.queen().operator().deadLetters().list(MessageFilter.any().queue(name)).items())
                .singleElement().satisfies(dead -> assertThat(dead.headers()).isEqualTo(message.headers()));
    }

    @Test
    void everyKindOfPushSendsHeaders() throws Exception {
        server.queen().transaction(tx -> tx.push(name, "a", message));
        try (BufferedPush<String> buffer = server.queen().queue(name, String.class).partition("a").buffered().start()) {
            buffer.push(message);
        }
        try (Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            server.queen().within(connection).push(name, "a", message);
            connection.commit();
        }

        assertThat(group.pop(PopOptions.DEFAULT.batch(10)).deliveries()).hasSize(3)
                .allSatisfy(each -> assertThat(each.headers()).isEqualTo(message.headers()));
    }

    @Test
    void logLinesOfAFailureBelongToItsTrace() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of().retryLimit(0));
        server.queen().queue(name, String.class).push(Message.of("x").header(TRACE, "t1"));
        ConsumerListener listener = new ConsumerListener() {
            @Override
            public void handlerFailed(Delivery<?> delivery, Throwable failure) {
                seen.add(failure.getMessage() + " " + CURRENT.get());
            }
        };

        try (var running = queen.queue(name, String.class).group("single").consumer().listener(listener).limit(1)
                .start(delivery -> {
                    throw new IllegalStateException("no");
                })) {
            running.awaitEnd();
        }
        try (var running = queen.queue(name, String.class).group("batches").consumer().listener(listener).limit(1)
                .startBatches(partition -> {
                    throw new IllegalStateException("nor them");
                })) {
            running.awaitEnd();
        }

        assertThat(seen.values()).containsExactly("no t1", "nor them t1");
    }

    @Test
    void tooManyHeadersAreRejected() {
        Message<String> large = Message.of("x").header("large", "x".repeat(5_000));

        assertThatThrownBy(() -> server.queen().queue(name, String.class).push(large))
                .isInstanceOf(RefusedException.class).hasMessageContaining("4096 bytes");
    }

    @Test
    void theTraceIsSentWithEveryMessage() throws Exception {
        CURRENT.set("t1");
        var queue = queen.queue(name, String.class).partition("a");
        queue.push("1");
        queue.pushAsync("2").get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        queen.transaction(tx -> tx.push(name, "a", "3"));
        queen.transactionAsync(tx -> tx.push(name, "a", "4")).get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        try (BufferedPush<String> buffer = queue.buffered().start()) {
            buffer.push("5");
        }
        try (Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            queen.within(connection).push(name, "a", "6");
            connection.commit();
        }
        queue.push(Message.of("7").header(TRACE, "its own"));
        CURRENT.remove();
        queue.push("8");

        try (var running = queen.queue(name, String.class).group("billing").consumer().limit(8)
                .start(delivery -> seen.add(delivery.value() + " " + CURRENT.get()))) {
            running.awaitEnd();
        }

        try (var running = queen.queue(name, String.class).group("batches").consumer().limit(8)
                .startBatches(partition -> batches.add(partition.size() + " " + CURRENT.get()))) {
            running.awaitEnd();
        }

        assertThat(batches.values()).containsExactly("8 t1");
        assertThat(seen.values()).containsExactly("1 t1", "2 t1", "3 t1", "4 t1", "5 t1", "6 t1", "7 its own",
                "8 null");
    }
}
