package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.client.BufferedPush;
import io.queenmq.client.Delivery;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.operator.QueueOptions;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Three server processes on one database. Each test starts and ends with three connected servers. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ThreeServersTest {
    private static final int SERVERS = 3;
    private static final List<Integer> PORTS = new ArrayList<>();
    private static final AtomicReferenceArray<QueenProcess> QUEENS = new AtomicReferenceArray<>(SERVERS);
    private static TestDatabase database;

    @BeforeAll
    static void start() {
        database = TestPostgres.shared().createDatabase();
        for (int i = 0; i < SERVERS; i++) {
            PORTS.add(FreePort.choose());
        }
        // The first makes the database ready; the others find it so.
        QUEENS.set(0, QueenProcess.start(settings(0)));
        for (int i = 1; i < SERVERS; i++) {
            QUEENS.set(i, QueenProcess.launch(settings(i)));
        }
        for (int i = 1; i < SERVERS; i++) {
            QUEENS.get(i).awaitReady();
        }
        awaitAll();
    }

    @AfterAll
    static void end() {
        for (int i = 0; i < SERVERS; i++) {
            if (QUEENS.get(i) != null) {
                QUEENS.get(i).close();
            }
        }
        database.close();
    }

    @Test
    @Order(1)
    void aPushOnOneServerReachesWaitingPopsOfTheOthersByHints() throws Exception {
        String queue = "woken";
        client(0).push(queue, "a", List.of("0"));
        for (int i = 1; i < SERVERS; i++) {
            client(i).pop(queue, null, "group-" + i, "autoAck=true&wait=true&timeout=60000");
        }
        Await.until("both are known to read it",
                () -> peers(0).size() == 2 && peers(0).stream().allMatch(peer -> peer.path("queues").asInt() == 1));
        long received = received(1) + received(2);
        for (int message = 1; message <= 10; message++) {
            String id = Integer.toString(message);
            List<CompletableFuture<Answer>> waiting = IntStream.range(1, SERVERS).mapToObj(i -> later(i, queue))
                    .toList();
            client(0).push(queue, "a", List.of(id));
            waiting.forEach(each -> assertThat(each.join().messages()).extracting(QueenClient.Message::transactionId)
                    .containsExactly(id));
            // Pushes within 3 ms share a hint.
            Thread.sleep(5);
        }
        // The report of a server is up to 100 ms old.
        Await.until("two hints for each message", () -> received(1) + received(2) - received >= 20);
    }

    @Test
    @Order(2)
    void unauthenticatedBytesAtTheClusterPortHaveNoEffect() throws Exception {
        byte[] garbage = new byte[100_000];
        new Random(1).nextBytes(garbage);
        int port = client(0).get("/api/v1/system/shared-state").body().at("/transport/port").asInt();
        for (int i = 0; i < 20; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(garbage, i, garbage.length - i);
            } catch (IOException _) {
                // Hung up in the middle.
            }
        }

        assertThat(client(0).get("/health").status()).isEqualTo(200);
        awaitAll();
    }

    @Test
    @Order(3)
    void aStoppedServerDelaysNoOtherAndJoinsAgain() throws Exception {
        String queue = "stopped";
        client(0).push(queue, "a", List.of("0"));
        for (int i = 1; i < SERVERS; i++) {
            client(i).pop(queue, null, "group-" + i, "autoAck=true&wait=true&timeout=60000");
        }
        QUEENS.get(2).signal("STOP");
        try {
            Await.until("it is found out", () -> states(0).containsValue("silent") || states(0).size() == 1);
            for (int message = 1; message <= 20; message++) {
                String id = Integer.toString(message);
                CompletableFuture<Answer> waiting = later(1, queue);
                client(0).push(queue, "partition-" + message, List.of(id));
                assertThat(waiting.join().messages()).extracting(QueenClient.Message::transactionId)
                        .containsExactly(id);
            }
            assertThat(client(0).get("/health").status()).isEqualTo(200);
        } finally {
            QUEENS.get(2).signal("CONT");
        }
        awaitAll();
        assertThat(
                client(2).pop(queue, null, "group-2", "autoAck=true&batch=100&partitions=100&wait=true&timeout=60000")
                        .messages())
                .isNotEmpty();
    }

    @Test
    @Order(4)
    void aServerWithAnotherSecretGetsNoHintsAndPollsTheDatabase() {
        String queue = "apart";
        Map<String, String> settings = new HashMap<>(settings(0));
        settings.putAll(Map.of("PORT", Integer.toString(FreePort.choose()), "WORKER_ID", "stranger",
                "QUEEN_SYNC_SECRET", "of another cluster"));
        try (QueenProcess stranger = QueenProcess.start(settings)) {
            client(0).push(queue, "a", List.of("0"));
            stranger.client().pop(queue, null, "group", "autoAck=true&wait=true&timeout=60000");
            CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                    () -> stranger.client().pop(queue, null, "group", "autoAck=true&wait=true&timeout=60000"),
                    task -> Thread.ofVirtual().start(task));
            client(0).push(queue, "a", List.of("1"));

            assertThat(waiting.join().messages()).extracting(QueenClient.Message::transactionId).containsExactly("1");
            JsonNode transport = stranger.client().get("/api/v1/system/shared-state").body().at("/transport");
            assertThat(transport.path("peers")).isEmpty();
            assertThat(transport.path("messages_received").asLong()).isZero();
            awaitAll();
        }
    }

    @Test
    @Order(5)
    void aRollingRestartLosesNothingAndEveryRequestSucceedsAfterRetries() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        List<Integer> handled = new CopyOnWriteArrayList<>();
        int total = 900;
        try (Load load = Load.start(() -> client(turn.incrementAndGet() % SERVERS));
                Queen queen = Queen
                        .connect(PORTS.stream().map(port -> "http://127.0.0.1:" + port).toArray(String[]::new))) {
            queen.operator().queues().configure("orders",
                    QueueOptions.of().leaseTime(Duration.ofSeconds(2)).retryLimit(100).retryDelay(Duration.ZERO));
            QueueView<String> orders = queen.queue("orders", String.class);
            try (BufferedPush<String> buffer = orders.partition("partition").buffered().batch(20).start();
                    var _ = orders.group("billing").consumer().concurrency(2).batch(10)
                            .start(delivery -> handled.add(Integer.parseInt(delivery.value())))) {
                for (int i = 0; i < total; i++) {
                    if (i % (total / SERVERS) == total / SERVERS / 2) {
                        restart(i / (total / SERVERS));
                        load.awaitAccepted(100);
                    }
                    buffer.push(Integer.toString(i));
                }
                buffer.flush();
                Await.until("everything is handled", () -> handled.contains(total - 1));
            }
            load.settleAndVerify();

            List<String> all = IntStream.range(0, total).mapToObj(Integer::toString).toList();
            assertThat(orders.group("auditor").popAtMostOnce(PopOptions.DEFAULT.batch(total + 1)).deliveries())
                    .extracting(Delivery::value).containsExactlyElementsOf(all);
            assertThat(handled.stream().distinct().map(Object::toString)).containsExactlyElementsOf(all);
        }
        awaitAll();
    }

    private static void restart(int server) {
        QueenProcess old = QUEENS.get(server);
        old.terminate();
        assertThat(old.awaitEnd()).isIn(0, 143);
        assertThat(old.output()).last().asString().endsWith("Queen has stopped");
        QueenProcess fresh = QueenProcess.start(settings(server));
        QUEENS.set(server, fresh);
        old.close();
        Await.until("it is known to the others", () -> peers((server + 1) % SERVERS).size() == SERVERS - 1);
    }

    private static CompletableFuture<Answer> later(int server, String queue) {
        return CompletableFuture.supplyAsync(
                () -> client(server).pop(queue, null, "group-" + server, "autoAck=true&wait=true&timeout=60000"),
                task -> Thread.ofVirtual().start(task));
    }

    private static QueenClient client(int server) {
        return QUEENS.get(server).client();
    }

    /** Waits until each server lists the two others by name, with a recent heartbeat. */
    private static void awaitAll() {
        for (int i = 0; i < SERVERS; i++) {
            int server = i;
            Await.until("server " + i + " knows the others", () -> {
                Map<String, String> states = states(server);
                return states.size() == SERVERS - 1 && states.values().stream().allMatch("alive"::equals);
            });
        }
    }

    private static Map<String, String> states(int server) {
        Map<String, String> states = new HashMap<>();
        for (JsonNode peer : peers(server)) {
            if (!peer.path("server_id").isNull()) {
                states.put(peer.path("server_id").asText(), peer.path("state").asText());
            }
        }
        return states;
    }

    private static List<JsonNode> peers(int server) {
        List<JsonNode> peers = new ArrayList<>();
        client(server).get("/api/v1/system/shared-state").body().at("/transport/peers").forEach(peers::add);
        return peers;
    }

    private static long received(int server) {
        return client(server).get("/api/v1/system/shared-state").body().at("/transport/messages_received").asLong();
    }

    private static Map<String, String> settings(int server) {
        return Map.of("PORT", Integer.toString(PORTS.get(server)), "WORKER_ID", "queen-" + server, "PG_HOST",
                database.host(), "PG_PORT", Integer.toString(database.port()), "PG_DB", database.name(), "PG_USER",
                database.user(), "PG_PASSWORD", database.password(), "QUEEN_SYNC_PORT", "0",
                "QUEEN_SYNC_DEAD_THRESHOLD_MS", "2000");
    }
}
