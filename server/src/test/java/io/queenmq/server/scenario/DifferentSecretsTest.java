package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two servers on one database with different secrets: no hint is received, and polling finds everything a little later. */
class DifferentSecretsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(settings("one"));

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother(settings("other"));
        Await.until(() -> isJoined(server.client()) && isJoined(there));
    }

    @Test
    void theServersAreNotPeersAndOperatorsSeeThat() {
        Await.until(() -> state(here).at("/server_health/servers_alive").asInt() == 2);
        assertThat(state(here).at("/transport/peers")).isEmpty();
        assertThat(state(there).at("/transport/peers")).isEmpty();
        assertThat(state(here).at("/transport/messages_received").asInt()).isZero();
    }

    /** Waiting pops poll at least once a second. A poll may take long on a busy machine. */
    @Test
    void consumersFindMessagesByPolling() {
        there.push(queue, "a", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=60000");
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Answer> waiting = here.popLater(queue, "wait=true", "timeout=60000", "autoAck=true");
            there.push(queue, "a", "message-" + i);
            assertThat(waiting.join().transactionIds()).containsExactly("message-" + i);
        }
        here.push(queue, "b", "1", "2");
        Answer held = here.popPartition(queue, "b", "batch=1");
        there.ackAll(held, "completed");
        assertThat(here.popPartition(queue, "b", "wait=true", "timeout=60000").transactionIds()).containsExactly("2");
    }

    @Test
    void changesAreFoundByPolling() {
        here.push(queue, "a", "1");
        Await.until(() -> !there.pop(queue, "consumerGroup=first").isEmpty());
        here.post("/api/v1/resources/queues/" + queue + "/pause", "{}");
        Await.until(() -> there.pop(queue, "consumerGroup=" + System.nanoTime()).isEmpty());
        here.post("/api/v1/resources/queues/" + queue + "/resume", "{}");
        Await.until(() -> !there.pop(queue, "consumerGroup=" + System.nanoTime()).isEmpty());
    }

    private static Map<String, String> settings(String secret) {
        return Map.of("QUEEN_SYNC_ENABLED", "true", "QUEEN_SYNC_PORT", "0", "QUEEN_SYNC_SECRET", secret,
                "METRICS_REPORT_INTERVAL_MS", "500");
    }

    private static boolean isJoined(QueenClient client) {
        return state(client).get("running").asBoolean();
    }

    private static JsonNode state(QueenClient client) {
        return client.get("/api/v1/system/shared-state").json();
    }
}
