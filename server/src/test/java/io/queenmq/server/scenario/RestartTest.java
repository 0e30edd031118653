package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is stopped and started again while clients use it. */
class RestartTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final String queue = server.newQueue();

    @Test
    void waitingPopsAreEmptyAtShutdownAndNoMessageIsLost() {
        server.client().configure(queue, "{}");
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(server.client().popLater(queue, "wait=true", "timeout=30000"));
        }
        assertThat(server.client().pop(queue).isEmpty()).isTrue();

        restart();

        // A request that the server has not received is rejected, and retried by clients.
        waiting.forEach(
                pop -> assertThat(pop.handle((answer, failure) -> failure != null ? 503 : answer.status()).join())
                        .isIn(204, 503));
        server.client().push(queue, "a", "1");
        assertThat(server.client().pop(queue).transactionIds()).containsExactly("1");
    }

    @Test
    void storedMessagesAreDeliveredAfterARestart() {
        server.client().push(queue, "a", "1", "2", "3");
        JsonNode held = server.client().pop(queue).message();

        restart();

        assertThat(server.client().popPartition(queue, "a").isEmpty()).isTrue();
        assertThat(server.client().ack(held, "completed").get("success").asBoolean()).isTrue();
        assertThat(server.client().pop(queue, "batch=9").transactionIds()).containsExactly("2", "3");
    }

    @Test
    void aLeaseStaysValidAfterARestart() {
        server.client().push(queue, "a", "1");
        Answer held = server.client().pop(queue);

        restart();

        assertThat(server.client().extend(held.leaseId(), "{\"seconds\":600}").status()).isEqualTo(200);
        assertThat(server.client()
                .transaction("{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":"
                        + held.message().get("partitionId") + "}],\"requiredLeases\":[\"" + held.leaseId() + "\"]}")
                .json().get("success").asBoolean()).isTrue();
        assertThat(server.client().pop(queue).isEmpty()).isTrue();
    }

    private static void restart() {
        server.stop();
        server.start();
    }
}
