package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pushing and acknowledging in a transaction of the application's own. */
class WithinTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final Queen queen = server.queen();
    private final String name = TestServer.newQueue();
    private final QueueView<String> queue = queen.queue(name, String.class);
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
    void aConnectionThatCommitsByItselfIsRefused() throws Exception {
        try (Connection committing = server.database().connect()) {
            assertThatThrownBy(() -> server.queen().within(committing).push("any", "a", "1"))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void aConsumerGetsWhatWasCommittedAndNothingElse() throws Exception {
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
    void whatAMessageHasBesideItsPayloadIsStored() throws Exception {
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
    void aMessageIsDoneWithTheTransaction() throws Exception {
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
