package io.queenmq.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.Delivery;
import io.queenmq.client.PopOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.client.operator.QueueOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A handler whose lease is lost, or whose connections break, while it is running. */
@QueenTest
class HandlerFaultsTest {
    private static final int PATIENCE_S = 120;

    private final Queen queen;
    private final TestQueen server;
    private final String name;
    private final QueueView<String> queue;
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

    HandlerFaultsTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.server = server;
        this.name = server.newQueue();
        this.queue = queen.queue(name, String.class);
    }

    @Test
    void aMessageWithALostLeaseIsRedelivered() throws Exception {
        queue.push("1");
        try (var _ = queue.group("billing").consumer().interruptOnLeaseLost().start(delivery -> {
            seen.add(delivery.value() + ", attempt " + delivery.attempt());
            if (delivery.attempt() == 1) {
                server.expireLeases(name);
                awaitLoss(delivery);
            }
        })) {
            assertThat(next()).isEqualTo("1, attempt 1");
            assertThat(next()).isEqualTo("1, attempt 2");
        }
        assertThat(server.pending(name, "billing")).isZero();
    }

    @Test
    void endRetryDelaysRedeliversFailedMessages() throws Exception {
        queen.operator().queues().configure(name, QueueOptions.of().retryDelay(Duration.ofHours(1)));
        queue.push("1");
        try (var _ = queue.group("billing").consumer().start(delivery -> {
            seen.add("attempt " + delivery.attempt());
            if (delivery.attempt() == 1) {
                throw new IllegalStateException("not yet");
            }
        })) {
            assertThat(next()).isEqualTo("attempt 1");
            assertThat(seen.poll(200, TimeUnit.MILLISECONDS)).isNull();
            // The failure is stored asynchronously after the handler has thrown.
            String second = null;
            for (int i = 0; second == null && i < PATIENCE_S; i++) {
                server.endRetryDelays(name);
                second = seen.poll(1, TimeUnit.SECONDS);
            }
            assertThat(second).isEqualTo("attempt 2");
        }
        assertThat(server.pending(name, "billing")).isZero();
    }

    @Test
    void dropConnectionsLosesResponses() throws Exception {
        try (Queen impatient = Queen.builder().url(server.url()).retryFor(Duration.ZERO).build()) {
            CompletableFuture<?> pop = impatient.queue(name, String.class).withoutGroup()
                    .popAsync(PopOptions.DEFAULT.waitFor(Duration.ofSeconds(2 * PATIENCE_S)));
            // The result of an attempt in flight is unknown, and the JDK repeats the request a few times.
            for (int i = 0; !pop.isDone() && i < 10 * PATIENCE_S; i++) {
                server.dropConnections();
                Thread.sleep(100);
            }
            assertThatThrownBy(pop::join).hasCauseInstanceOf(UnavailableException.class);
        }
    }

    @Test
    void aHandlerIsAcknowledgedDespiteDroppedConnections() throws Exception {
        queue.push("1");
        try (var _ = queue.group("billing").consumer().start(delivery -> {
            server.dropConnections();
            seen.add(delivery.value());
        })) {
            assertThat(next()).isEqualTo("1");
            queue.push("2");
            assertThat(next()).isEqualTo("2");
        }
        assertThat(seen).isEmpty();
        assertThat(server.pending(name, "billing")).isZero();
        assertThat(server.messages(name, "Default")).containsExactly("\"1\"", "\"2\"");
    }

    @Test
    void aHandlerIsAcknowledgedDespiteLostDatabaseConnections() throws Exception {
        queue.push("1");
        List<String> before = serverConnections();
        try (var _ = queue.group("billing").consumer().start(delivery -> {
            server.dropDatabaseConnections();
            seen.add(delivery.value());
        })) {
            assertThat(next()).isEqualTo("1");
            queue.push("2");
            assertThat(next()).isEqualTo("2");
        }
        assertThat(seen).isEmpty();
        assertThat(server.pending(name, "billing")).isZero();
        assertThat(before).isNotEmpty();
        assertThat(serverConnections()).doesNotContainAnyElementsOf(before);
    }

    private List<String> serverConnections() throws SQLException {
        try (var connection = server.connectDatabase();
                var rows = connection.createStatement().executeQuery("select pid from pg_stat_activity"
                        + " where datname = current_database() and application_name = 'queen'")) {
            List<String> pids = new ArrayList<>();
            while (rows.next()) {
                pids.add(rows.getString(1));
            }
            return pids;
        }
    }

    private String next() throws InterruptedException {
        return seen.poll(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static void awaitLoss(Delivery<?> delivery) throws InterruptedException {
        while (!delivery.isLeaseLost()) {
            Thread.sleep(10);
        }
    }
}
