package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two servers on one database that exchange hints. Waiting pops poll only once a minute, so an earlier delivery is caused by a
 * hint.
 */
class ClusterTest {
    private static final Map<String, String> SETTINGS = Map.of("QUEEN_SYNC_ENABLED", "true", "QUEEN_SYNC_PORT", "0",
            "POP_WAIT_BASE_INTERVAL_MS", "60000", "POP_WAIT_MAX_INTERVAL_MS", "60000", "METRICS_REPORT_INTERVAL_MS",
            "500");
    private static final String[] PATIENT = {"wait=true", "timeout=40000"};

    @RegisterExtension
    static final QueenServer server = QueenServer.with(SETTINGS);

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
        awaitPeer(server.client());
        awaitPeer(there);
    }

    @Test
    void aPushOnOneServerWakesPopsOfTheOtherWithoutADatabaseQuery() {
        there.push(queue, "known", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=40000");
        awaitInterest(queue);
        for (int i = 0; i < 5; i++) {
            CompletableFuture<Answer> waiting = here.popLater(queue, "wait=true", "timeout=40000", "autoAck=true");
            awaitWaitingPops(here, 1);
            int polls = polls(here);
            there.push(queue, "partition-" + i, "message-" + i);

            assertThat(waiting.join().transactionIds()).containsExactly("message-" + i);
            assertThat(polls(here)).as("calls of resolve and has_pending").isEqualTo(polls);
        }
    }

    @Test
    void aPushIsHintedToAServerWhosePopWaitsForThePartitionByName() {
        there.push(queue, "a", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=40000");
        awaitInterest(queue);
        CompletableFuture<Answer> named = here.popPartitionLater(queue, "a", "wait=true", "timeout=40000",
                "autoAck=true");
        awaitWaitingPops(here, 1);

        there.push(queue, "a", "1");

        assertThat(named.join().transactionIds()).containsExactly("1");
    }

    @Test
    void anAckOnOneServerWakesPopsOfThePartitionOnTheOther() {
        here.push(queue, "a", "1", "2", "3");
        Answer held = there.pop(queue, "batch=1", "wait=true", "timeout=40000");
        assertThat(here.pop(queue).isEmpty()).isTrue();
        awaitInterest(queue);
        CompletableFuture<Answer> waiting = here.popLater(queue, "batch=1", "wait=true", "timeout=40000");
        awaitWaitingPops(here, 1);

        there.ackAll(held, "completed");

        Answer next = waiting.join();
        assertThat(next.transactionIds()).containsExactly("2");
        CompletableFuture<Answer> last = here.popLater(queue, "batch=1", "wait=true", "timeout=40000");
        awaitWaitingPops(here, 1);
        there.ackAll(next, "completed");
        assertThat(last.join().transactionIds()).as("acked through a server that did not create the lease")
                .containsExactly("3");
    }

    @Test
    void noHintIsSentForAQueueThatTheOtherServerDoesNotRead() {
        here.configure(queue, "{}");
        here.pop(queue, "autoAck=true");
        awaitQuiet(here);
        long sent = sent(here);
        for (int i = 0; i < 20; i++) {
            here.push(queue, "a", "m" + i);
        }

        assertThat(sent(here) - sent).as("hints besides heartbeats").isLessThan(15);
    }

    @Test
    void allPartitionsAreFoundAlsoIfAHintIsTooSmallForThem() {
        there.push(queue, "first", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=40000");
        awaitInterest(queue);
        int partitions = 3_000;
        CompletableFuture<Answer> waiting = here.popLater(queue, "batch=1000", "partitions=100", "autoAck=true",
                "wait=true", "timeout=40000");
        awaitWaitingPops(here, 1);
        there.post("/api/v1/push",
                IntStream.range(0, partitions)
                        .mapToObj(i -> "{\"queue\":\"" + queue + "\",\"partition\":\"partition-" + i
                                + "\",\"transactionId\":\"" + i + "\"}")
                        .collect(Collectors.joining(",", "{\"items\":[", "]}")));

        List<String> got = new ArrayList<>(waiting.join().transactionIds());
        while (got.size() < partitions) {
            Answer popped = here.pop(queue, "batch=1000", "partitions=100", "autoAck=true", "wait=true",
                    "timeout=40000");
            assertThat(popped.status()).as("after " + got.size() + " partitions").isEqualTo(200);
            got.addAll(popped.transactionIds());
        }
        assertThat(got).hasSize(partitions).doesNotHaveDuplicates();
    }

    @Test
    void aQueueCreatedOnOneServerWakesPopsThatWaitForItOnTheOther() {
        CompletableFuture<Answer> waiting = here.popLater(queue, PATIENT);
        awaitWaitingPops(here, 1);
        awaitInterest(queue);

        there.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aPauseAppliesOnAllServers() {
        here.push(queue, "a", "1");
        assertThat(there.pop(queue, "consumerGroup=first", "wait=true", "timeout=40000").isEmpty()).isFalse();
        for (int i = 0; i < 10; i++) {
            here.post("/api/v1/resources/queues/" + queue + "/pause", "{}");
            Await.until(() -> there.pop(queue, "consumerGroup=" + System.nanoTime()).isEmpty());
            here.post("/api/v1/resources/queues/" + queue + "/resume", "{}");
        }
        assertThat(there.pop(queue, "consumerGroup=last", PATIENT[0], PATIENT[1]).transactionIds())
                .containsExactly("1");
    }

    @Test
    void aSeekOnOneServerWakesPopsOfTheOther() {
        here.push(queue, "a", "1");
        assertThat(there.pop(queue, "consumerGroup=g", "autoAck=true", "wait=true", "timeout=40000").isEmpty())
                .isFalse();
        CompletableFuture<Answer> waiting = there.popLater(queue, "consumerGroup=g", "autoAck=true", "wait=true",
                "timeout=40000");
        awaitWaitingPops(there, 1);

        here.post("/api/v1/consumer-groups/g/queues/" + queue + "/seek", "{\"toBeginning\":true}");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aNotificationOfAnOperatorWakesPopsOfTheOtherServer() {
        there.push(queue, "a", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=40000");
        awaitInterest(queue);
        awaitQuiet(there);
        CompletableFuture<Answer> waiting = here.popLater(queue, "autoAck=true", "wait=true", "timeout=40000");
        awaitWaitingPops(here, 1);
        int polls = polls(here);

        there.post("/internal/api/notify", "{\"queue\":\"" + queue + "\"}");

        Await.until(() -> polls(here) > polls);
        there.push(queue, "a", "1");
        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    /** Each server has its own LISTEN connection. */
    @Test
    void anAnnouncementOfPostgresCausesNoHints() {
        here.push(queue, "a", "0");
        here.pop(queue, "autoAck=true", "wait=true", "timeout=40000");
        there.pop(queue, "autoAck=true", "consumerGroup=other", "wait=true", "timeout=40000");
        awaitInterest(queue);
        CompletableFuture<Answer> one = here.popLater(queue, "autoAck=true", "wait=true", "timeout=40000");
        CompletableFuture<Answer> other = there.popLater(queue, "autoAck=true", "wait=true", "timeout=40000",
                "consumerGroup=other", "subscriptionMode=new");
        awaitWaitingPops(here, 1);
        awaitWaitingPops(there, 1);
        awaitQuiet(here);
        long sent = sent(here) + sent(there);
        for (int i = 1; i <= 20; i++) {
            server.select("select queen.push(?, 'a', '1', ?)", queue, "own-" + i);
        }

        assertThat(one.join().transactionIds()).containsExactly("own-1");
        assertThat(other.join().transactionIds()).containsExactly("own-1");
        assertThat(sent(here) + sent(there) - sent).as("hints besides heartbeats").isLessThan(30);
    }

    @Test
    void membersAreShownToOperatorsAndToPrometheus() {
        Await.until("both servers are alive to each other",
                () -> here.get("/api/v1/system/shared-state").json().at("/transport/peers/0/state").asText()
                        .equals("alive") && here.get("/health").json().at("/shared_state/servers_alive").asInt() == 1);
        JsonNode state = here.get("/api/v1/system/shared-state").json();
        JsonNode peer = state.at("/transport/peers/0");
        assertThat(state.get("enabled").asBoolean() && state.get("running").asBoolean()).isTrue();
        assertThat(state.at("/transport/peer_count").asInt()).isEqualTo(1);
        assertThat(peer.get("server_id").asText())
                .isEqualTo(there.get("/api/v1/system/shared-state").json().get("server_id").asText());
        Await.until(() -> here.get("/api/v1/system/shared-state").json().at("/transport/peers/0/round_trip_ms")
                .asDouble(-1) >= 0);
        assertThat(state.at("/transport/port").asInt()).isPositive();
        assertThat(here.get("/metrics/prometheus").body()).contains("queen_shared_state_enabled 1.0",
                "queen_servers{state=\"alive\"} 1.0", "queen_servers{state=\"dead\"} 0.0", "queen_qc_cache_size",
                "queen_qc_cache_hits_total", "queen_qc_cache_misses_total",
                "queen_transport_messages_total{dir=\"sent\"}", "queen_transport_messages_total{dir=\"received\"}",
                "queen_transport_messages_total{dir=\"dropped\"} 0.0");
    }

    private static void awaitPeer(QueenClient client) {
        Await.until(() -> {
            JsonNode peers = client.get("/api/v1/system/shared-state").json().at("/transport/peers");
            return peers.size() == 1 && !peers.get(0).path("server_id").isNull();
        });
    }

    /** Waits until each server knows the number of queues that the other one reads. */
    private void awaitInterest(String name) {
        Await.until(() -> readsAsManyQueuesAs(there, here) && readsAsManyQueuesAs(here, there));
    }

    private static boolean readsAsManyQueuesAs(QueenClient server, QueenClient other) {
        return server.get("/api/v1/system/shared-state").json().at("/transport/peers/0/queues").asInt() == other
                .get("/api/v1/system/shared-state").json().at("/transport/queues").asInt();
    }

    private static void awaitWaitingPops(QueenClient client, int count) {
        Await.until(() -> client.get("/metrics").json().path("gauges").path("queen.pop.parked").asInt() == count);
    }

    /** Waits until only heartbeats are sent. */
    private static void awaitQuiet(QueenClient client) {
        long[] before = {sent(client)};
        Await.until(() -> {
            try {
                Thread.sleep(300);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            long now = sent(client);
            boolean isQuiet = now - before[0] <= 3;
            before[0] = now;
            return isQuiet;
        });
    }

    private static long sent(QueenClient client) {
        return client.get("/api/v1/system/shared-state").json().at("/transport/messages_sent").asLong();
    }

    private static int polls(QueenClient client) {
        return (int) (calls(client, "resolve") + calls(client, "has_pending"));
    }

    private static long calls(QueenClient client, String operation) {
        return client.get("/metrics").json().path("calls").path(operation).path("count").asLong();
    }
}
