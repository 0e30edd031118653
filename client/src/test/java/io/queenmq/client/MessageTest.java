package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.operator.QueueOptions;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every method that accepts values accepts messages. */
class MessageTest {
    @RegisterExtension
    static final TestServer server = new TestServer();

    private final String name = TestServer.newQueue();
    private final Queen queen = server.queen();
    private final Message<String> message = Message.of("x").transactionId("t");

    @Test
    void aQueueOfObjectsAcceptsMessages() {
        QueueView<Object> queue = queen.queue(name, Object.class);
        queue.push(message);
        queue.push((Object) Message.of("y").transactionId("u"));
        queue.pushAll(List.of("z", message));
        queue.pushMessages(List.of(message, Message.of("v").transactionId("v")));

        assertThat(stored("Default")).containsExactly("t x", "u y", "z", "v v");
    }

    @Test
    void aBufferOfObjectsAcceptsMessages() {
        try (BufferedPush<Object> buffer = queen.queue(name, Object.class).buffered().start()) {
            buffer.push(message);
            buffer.push((Object) Message.of("y").transactionId("u"));
        }

        assertThat(stored("Default")).containsExactly("t x", "u y");
    }

    @Test
    void aTransactionAcceptsMessages() {
        queen.transaction(tx -> tx.push(name, "a", message));

        assertThat(stored("a")).containsExactly("t x");
        assertThatThrownBy(() -> queen.transaction(tx -> tx.push(name, "a", message.partition("b"))))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'b'");
    }

    @Test
    void anSqlTransactionAcceptsMessages() throws Exception {
        queen.operator().queues().configure(name, QueueOptions.of());
        try (Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            assertThat(queen.within(connection).push(name, "a", message)).isTrue();
            assertThat(queen.within(connection).push(name, "a", message)).isFalse();
            connection.commit();
        }

        assertThat(stored("a")).containsExactly("t x");
    }

    @Test
    void aMessageInAMessageIsRejected() {
        assertThatThrownBy(() -> Message.of(message)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Returns the transactionIds and payloads, without the ids that the client created. */
    private List<String> stored(String partition) {
        return server.storedLines(name, partition);
    }
}
