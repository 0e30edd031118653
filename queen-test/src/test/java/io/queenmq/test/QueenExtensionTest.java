package io.queenmq.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Queen;
import java.sql.SQLException;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The parameters of tests: a client per test, and the shared server. */
@QueenTest
@TestMethodOrder(MethodName.class)
class QueenExtensionTest {
    private static Queen first;

    @Test
    void aMissingQueueIsNotAnEmptyQueue(TestQueen server) {
        assertThatThrownBy(() -> server.pending("typo", "billing")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'typo'");
        assertThatThrownBy(() -> server.messages("typo", "a")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'typo'");
    }

    @Test
    void aPushedMessageIsStored(Queen queen, TestQueen server) throws SQLException {
        first = queen;
        String queue = server.newQueue();
        queen.queue(queue, String.class).partition("a").push("by HTTP");
        try (var connection = server.connectDatabase()) {
            connection.setAutoCommit(false);
            queen.within(connection).push(queue, "a", "by SQL");
            connection.commit();
        }

        assertThat(server.messages(queue, "a")).containsExactly("\"by HTTP\"", "\"by SQL\"");
        assertThat(server.pending(queue, null)).isEqualTo(2);
        try (var batch = queen.queue(queue, String.class).withoutGroup().pop()) {
            batch.ack(batch.deliveries().getFirst());
        }
        assertThat(server.pending(queue, null)).isOne();
        assertThat(server.pending(queue, "billing")).isEqualTo(2);
    }

    @Test
    void theClientIsClosedAfterItsTest(Queen queen, TestQueen server) {
        assertThat(queen).isNotSameAs(first);
        assertThatThrownBy(() -> first.queue(server.newQueue(), String.class).push("late"))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void queuesAreNew(TestQueen server) {
        assertThat(server.newQueue()).isNotEqualTo(server.newQueue());
        assertThat(server).isSameAs(TestQueen.shared());
    }
}
