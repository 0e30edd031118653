package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pushes and acknowledgments in a transaction of the application. */
class SqlTransactionTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Queen queen = server.queen();
    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = queen.queue(name, String.class);
    private final AtomicInteger statements = new AtomicInteger();
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        queen.operator().queues().configure(name, QueueOptions.of());
        connection = server.database().connect();
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void aConnectionInAutocommitModeIsRejected() throws Exception {
        try (Connection committing = server.database().connect()) {
            assertThatThrownBy(() -> server.queen().within(committing).push("any", "a", "1"))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("setAutoCommit(false)");
        }
    }

    /** One statement, however many messages: the database counts the statements of clients. */
    @Test
    void pushAllIsOneStatementThatKeepsOrderIdsAndHeaders() throws Exception {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            values.add(i == 5 ? Message.of("5").transactionId("t5").header("kind", "fifth") : Integer.toString(i));
        }
        values.add(Message.of("again").transactionId("t5"));
        Connection counted = counting(connection);

        assertThat(queen.within(counted).pushAll(name, "a", values)).isEqualTo(2_000);
        assertThat(statements).hasValue(1);
        connection.commit();

        try (Batch<String> batch = queue.group("g").pop(PopOptions.DEFAULT.batch(3_000))) {
            assertThat(batch.deliveries()).extracting(Delivery::value)
                    .containsExactlyElementsOf(IntStream.range(0, 2_000).mapToObj(Integer::toString).toList());
            assertThat(batch.deliveries().get(5).transactionId()).isEqualTo("t5");
            assertThat(batch.deliveries().get(5).headers()).containsExactly(Map.entry("kind", "fifth"));
        }
    }

    @Test
    void pushAllPushesToThePartitionsOfItsMessages() throws Exception {
        queen.within(connection).pushAll(name, null, List.of(Message.of("1").partition("a"),
                Message.of("2").partition("b"), Message.of("3").partition("a")));
        assertThat(queen.within(connection).pushAll(name, "a", List.of())).isZero();
        connection.commit();

        assertThat(server.stored(name, "a")).containsExactly("1", "3");
        assertThat(server.stored(name, "b")).containsExactly("2");
    }

    private Connection counting(Connection target) {
        return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[]{Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        statements.incrementAndGet();
                    }
                    return method.invoke(target, arguments);
                });
    }

    @Test
    void aConsumerReceivesOnlyCommittedMessages() throws Exception {
        var seen = new LinkedBlockingQueue<String>();
        try (var _ = queue.group("billing").consumer().start(delivery -> seen.add(delivery.value()))) {
            queen.within(connection).push(name, "a", "undone");
            connection.rollback();
            assertThat(queen.within(connection).push(name, "a", "done", "t1")).isTrue();
            assertThat(queen.within(connection).push(name, "a", "again", "t1")).isFalse();
            connection.commit();

            assertThat(seen.poll(Await.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isEqualTo("done");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void idsAndHeadersAreStored() throws Exception {
        UUID trace = UUID.randomUUID();
        queen.within(connection).push(name, "a", Message.of("traced").traceId(trace));
        queen.within(connection).push(name, "a", Message.of("both").traceId(trace).header("kind", "order"));
        queen.within(connection).push(name, "a", Message.of("id").transactionId("t"), null);
        connection.commit();

        try (Batch<String> batch = queue.group("billing").pop(PopOptions.DEFAULT.batch(3))) {
            assertThat(batch.deliveries()).extracting(Delivery::traceId).containsExactly(trace.toString(),
                    trace.toString(), null);
            assertThat(batch.deliveries()).extracting(Delivery::headers).containsExactly(Map.of(),
                    Map.of("kind", "order"), Map.of());
            assertThat(batch.deliveries().getLast().transactionId()).as("its own").isEqualTo("t");
        }
    }

    @Test
    void aMessageIsAcknowledgedWithTheTransaction() throws Exception {
        queue.push("1");
        Delivery<String> delivery = queue.group("billing").pop().deliveries().getFirst();
        queen.within(connection).ack(delivery);
        queen.within(connection).push(name, "results", "of 1");
        connection.commit();
        server.expireLeases(name);

        assertThat(queue.group("billing").pop().deliveries()).extracting(Delivery::value).containsExactly("of 1");
    }

    @Test
    void aLostLeaseFailsTheCommit() throws Exception {
        queue.push("1");
        Delivery<String> delivery = queue.withoutGroup().pop().deliveries().getFirst();
        queen.within(connection).ack(delivery);
        queen.within(connection).push(name, "results", "of a zombie");
        server.expireLeases(name);

        assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class)
                .extracting(e -> ((SQLException) e).getSQLState()).isEqualTo("QN002");
        assertThat(server.stored(name, "results")).isEmpty();
    }
}
