package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestShards;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages for a client that has disconnected are delivered to the next pop immediately. */
class DisconnectedClientTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aMessagePushedAfterAWaitingClientDisconnectedIsDeliveredToTheNext() throws IOException {
        for (int i = 0; i < 10; i++) {
            disconnect(startPop("wait=true&timeout=60000"));
            queen.push(queue, "a", "message-" + i);

            Answer popped = queen.popPartition(queue, "a", "wait=true", "timeout=60000");

            assertThat(popped.transactionIds()).containsExactly("message-" + i);
            queen.ackAll(popped, "completed");
        }
    }

    @Test
    void aPopBehindADisconnectedOneIsServed() throws IOException {
        Socket gone = startPop("wait=true&timeout=60000");
        CompletableFuture<Answer> next = queen.popLater(queue, "wait=true", "timeout=60000");
        disconnect(gone);

        queen.push(queue, "a", "1");

        assertThat(next.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aClientThatDisconnectsDuringItsLeaseCallDoesNotKeepThePartition() throws IOException, SQLException {
        queen.push(queue, "a", "1");
        queen.pop(queue, "consumerGroup=other");
        try (Connection connection = server.database().connect()) {
            connection.setAutoCommit(false);
            // The routine lease never waits for a row lock, but it waits for a table lock.
            TestShards.everywhere(connection, "lock table cursor in exclusive mode");
            Socket gone = startPop("batch=1");
            awaitLockWait();
            disconnect(gone);
            connection.commit();
        }

        Answer popped = queen.popPartition(queue, "a", "wait=true", "timeout=60000");

        assertThat(popped.transactionIds()).containsExactly("1");
        assertThat(popped.message().get("retryCount").asInt()).isZero();
    }

    private Socket startPop(String parameters) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.getOutputStream()
                .write(("GET /api/v1/pop/queue/" + queue + "?" + parameters + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        return socket;
    }

    private static void disconnect(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private static void awaitLockWait() {
        Await.until(() -> !server.select(
                "select pid from pg_stat_activity where datname = current_database()" + " and wait_event_type = 'Lock'")
                .isEmpty());
    }
}
