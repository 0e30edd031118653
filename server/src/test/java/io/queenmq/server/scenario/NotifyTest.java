package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The route notify wakes waiting pops. The poll interval of these servers is too long to deliver a message in time. */
class NotifyTest {
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("POP_WAIT_BASE_INTERVAL_MS", "60000", "POP_WAIT_MAX_INTERVAL_MS", "60000"));

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void aNotificationOfAQueueWakesPopsOfAnyPartition() {
        assertThat(woken(here.popLater(queue, "wait=true", "timeout=50000"), "{\"queue\":\"" + queue + "\"}")
                .transactionIds()).containsExactly("1");
    }

    @Test
    void aNotificationOfAPartitionWakesItsPops() {
        assertThat(woken(here.popPartitionLater(queue, "a", "wait=true", "timeout=50000"),
                "{\"queue\":\"" + queue + "\",\"partition\":\"a\"}").transactionIds()).containsExactly("1");
    }

    @Test
    void aNotificationOfAQueueWakesPopsOfANamedPartition() {
        assertThat(
                woken(here.popPartitionLater(queue, "a", "wait=true", "timeout=50000"), "{\"queue\":\"" + queue + "\"}")
                        .transactionIds())
                .containsExactly("1");
    }

    /** Pushes on the other server, which sends no hint, and then notifies this server. */
    private Answer woken(CompletableFuture<Answer> waiting, String notification) {
        Await.until(() -> here.get("/metrics").json().at("/gauges/queen.pop.parked").asInt() == 1);
        there.push(queue, "a", "1");
        // The queue is new, so this server may have to load it first.
        Await.until(() -> {
            assertThat(here.post("/internal/api/notify", notification).json().get("status").asText()).isEqualTo("ok");
            return waiting.isDone();
        });
        return waiting.join();
    }

    @Test
    void aNotificationMustNameAQueue() {
        assertThat(here.post("/internal/api/notify", "{\"partition\":\"a\"}").status()).isEqualTo(400);
        assertThat(here.post("/internal/api/notify", "{\"queue\":\"missing\"}").status()).isEqualTo(200);
    }
}
