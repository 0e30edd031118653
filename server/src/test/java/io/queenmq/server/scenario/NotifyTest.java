package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever knows that something came can wake those who wait; nobody in here would look by himself in time. */
class NotifyTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("POP_WAIT_BASE_INTERVAL_MS", "60000",
            "POP_WAIT_MAX_INTERVAL_MS", "60000"));

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startTheOther() {
        there = server.startAnother();
    }

    @Test
    void aNotificationOfAQueueWakesThoseWhoWaitForAnyPartition() {
        assertThat(woken(here.popLater(queue, "wait=true", "timeout=50000"), "{\"queue\":\"" + queue + "\"}")
                .transactionIds()).containsExactly("1");
    }

    @Test
    void aNotificationOfAPartitionWakesThoseWhoWaitForIt() {
        assertThat(woken(here.popPartitionLater(queue, "a", "wait=true", "timeout=50000"),
                "{\"queue\":\"" + queue + "\",\"partition\":\"a\"}").transactionIds()).containsExactly("1");
    }

    @Test
    void aNotificationOfAQueueWakesThoseWhoNamedAPartition() {
        assertThat(woken(here.popPartitionLater(queue, "a", "wait=true", "timeout=50000"),
                "{\"queue\":\"" + queue + "\"}").transactionIds()).containsExactly("1");
    }

    /** A push elsewhere, which this server does not hear of, and then the notification. */
    private Answer woken(CompletableFuture<Answer> waiting, String notification) {
        Await.until(() -> here.get("/metrics").json().at("/gauges/queen.pop.parked").asInt() == 1);
        there.push(queue, "a", "1");
        // The queue is new, and this server may have to hear of it first.
        Await.until(() -> {
            assertThat(here.post("/internal/api/notify", notification).json().get("status").asText()).isEqualTo("ok");
            return waiting.isDone();
        });
        return waiting.join();
    }

    @Test
    void aNotificationNamesAQueue() {
        assertThat(here.post("/internal/api/notify", "{\"partition\":\"a\"}").status()).isEqualTo(400);
        assertThat(here.post("/internal/api/notify", "{\"queue\":\"nobody\"}").status()).isEqualTo(200);
    }
}
