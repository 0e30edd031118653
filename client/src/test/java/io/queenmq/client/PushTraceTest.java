package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.FreePort;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The trace of a push ends when its outcome is known. */
class PushTraceTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final Seen ends = new Seen();

    private final class Recording implements Tracing {
        @Override
        public PushTrace startPush(String queue, String partition, int messages) {
            return new PushTrace() {
                @Override
                public Map<String, String> headers() {
                    return Map.of();
                }

                @Override
                public void end(Throwable failure) {
                    ends.add(messages + " " + (failure == null ? "stored" : failure.getClass().getSimpleName()));
                }
            };
        }

        @Override
        public <R> R handling(Delivery<?> delivery, Callable<R> handler) throws Exception {
            return handler.call();
        }

        @Override
        public <R> R handlingAll(List<? extends Delivery<?>> partition, Callable<R> handler) throws Exception {
            return handler.call();
        }
    }

    @Test
    void pushesEndWithTheirResponse() {
        try (Queen queen = client(server.url())) {
            queen.queue(name, String.class).pushAll(List.of("a", "b"));
            queen.queue(name, String.class).pushAsync("c").join();
            queen.transaction(tx -> {
                tx.push(name, "p", "d");
                assertThat(ends.values()).hasSize(2);
            });
            assertThatThrownBy(() -> queen.transaction(tx -> {
                tx.push(name, "p", "e");
                throw new IllegalStateException();
            })).isInstanceOf(IllegalStateException.class);
        }
        assertThat(ends.values()).containsExactly("2 stored", "1 stored", "1 stored", "1 IllegalStateException");
    }

    @Test
    void failedPushesEndWithTheirFailure() {
        try (Queen queen = client(TestServer.url(FreePort.choose()))) {
            assertThatThrownBy(() -> queen.queue(name, String.class).push("a")).isNotNull();
            assertThatThrownBy(() -> queen.transaction(tx -> tx.push(name, "p", "b"))).isNotNull();
            BufferedPush<String> buffer = queen.queue(name, String.class).buffered().giveUpAfter(Duration.ofMillis(50))
                    .start();
            buffer.push("c");
            assertThatThrownBy(buffer::close).isInstanceOf(UnsentException.class);
        }
        assertThat(ends.values()).containsExactly("1 UnavailableException", "1 UnavailableException",
                "1 UnavailableException");
    }

    @Test
    void aBufferedPushEndsWhenItIsStored() throws Exception {
        try (Queen queen = client(server.url());
                BufferedPush<String> buffer = queen.queue(name, String.class).buffered().start()) {
            buffer.push("a").join();
            assertThat(ends.values()).containsExactly("1 stored");
        }
    }

    @Test
    void aPushInAnSqlTransactionEndsWithTheTransaction() throws Exception {
        server.queen().operator().queues().configure(name, QueueOptions.of());
        List<Consumer<Throwable>> callbacks = new ArrayList<>();
        try (Queen queen = client(server.url()); Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            queen.within(connection, callbacks::add).push(name, "p", "a");
            assertThat(ends.values()).isEmpty();
            connection.rollback();
            callbacks.forEach(each -> each.accept(new IllegalStateException("rolled back")));
            queen.within(connection).pushAll(name, "p", List.of("b", "c"));
            connection.commit();
        }
        assertThat(ends.values()).containsExactly("1 IllegalStateException", "2 stored");
    }

    private Queen client(String url) {
        return Queen.builder().url(url).retryFor(Duration.ZERO).tracing(new Recording()).build();
    }
}
