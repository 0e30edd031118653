package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two servers on one database that tell each other hints. Nobody looks by himself, so that hints alone can be the reason. */
class ClusterTest {
    private static final Map<String, String> SETTINGS = Map.of("QUEEN_SYNC_ENABLED", "true", "QUEEN_SYNC_PORT", "0",
            "POP_WAIT_BASE_INTERVAL_MS", "60000", "POP_WAIT_MAX_INTERVAL_MS", "60000");

    @RegisterExtension
    static final QueenServer server = QueenServer.with(SETTINGS);

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startTheOther() {
        there = server.startAnother();
        awaitPeer(server.client());
        awaitPeer(there);
    }

    @Test
    void whatIsPushedOnOneWakesThoseWhoWaitOnTheOther() {
        there.push(queue, "known", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=60000");
        for (int i = 0; i < 20; i++) {
            CompletableFuture<Answer> anyLane = here.popLater(queue, "wait=true", "timeout=60000", "autoAck=true");
            awaitTrue(() -> here.get("/metrics").json().at("/gauges/queen.pop.parked").asInt() == 1);
            long ns = System.nanoTime();
            there.push(queue, "known", "message-" + i);

            assertThat(anyLane.join().transactionIds()).containsExactly("message-" + i);
            System.out.println("wake " + (System.nanoTime() - ns) / 1000 + " us");
        }
        System.out.println(here.get("/api/v1/system/shared-state").json().toPrettyString());
    }

    private static void awaitPeer(QueenClient client) {
        awaitTrue(() -> {
            JsonNode peers = client.get("/api/v1/system/shared-state").json().at("/transport/peers");
            return peers.size() == 1 && !peers.get(0).path("server_id").isNull();
        });
    }

    private static void awaitTrue(BooleanSupplier isSo) {
        long deadlineNs = System.nanoTime() + QueenClient.PATIENCE.toNanos();
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
