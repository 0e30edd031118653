package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.TestShards;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SIGTERM: requests in progress are answered, new ones are rejected, and PostgreSQL stops last. */
class ShutdownTest {
    private static final Path POSTGRES = QueenProcess.DATA.resolve("postgres");
    private static final Map<String, String> SETTINGS = Map.of("QUEEN_DATA", QueenProcess.DATA.toString());
    /** Timeouts for locked partitions and for the shutdown that a slow machine does not reach. */
    private static final Map<String, String> PATIENT_SETTINGS = Map.of("QUEEN_DATA", QueenProcess.DATA.toString(),
            "DB_UNAVAILABLE_AFTER_MS", "120000", "SHUTDOWN_GRACE_MS", "120000");

    private final AtomicReference<QueenProcess> queen = new AtomicReference<>();

    @AfterEach
    void end() {
        if (queen.get() != null) {
            queen.get().close();
        }
        QueenProcess.awaitNoPostgresIn(POSTGRES);
    }

    @Test
    void aStopUnderLoadLosesNothingAndNeedsNoRepair() throws Exception {
        queen.set(QueenProcess.start(SETTINGS));
        try (Load load = Load.start(() -> queen.get().client())) {
            load.awaitAccepted(500);
            queen.get().terminate();
            assertThat(queen.get().awaitEnd()).isIn(0, 143);
            assertThat(queen.get().output()).last().asString().endsWith("Queen has stopped");
            assertThat(QueenProcess.postgresOf(POSTGRES)).isEmpty();
            assertThat(QueenProcess.lastLineOf(POSTGRES.resolve("postgresql.log")))
                    .contains("database system is shut down");

            queen.set(QueenProcess.start(SETTINGS));
            assertThat(logOfTheLastStart()).contains("database system was shut down at")
                    .doesNotContain("not properly shut down");
            load.awaitAccepted(500);
            load.settleAndVerify();
        }
    }

    @Test
    void requestsInProgressAreAnsweredAndNewOnesRejected() throws Exception {
        queen.set(QueenProcess.start(PATIENT_SETTINGS));
        QueenClient client = queen.get().client();
        String queue = "slow-" + System.nanoTime();
        client.push(queue, "partition", List.of("first"));
        int pushes = pushCalls(client);
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            TestShards.everywhere(connection, "select 1 from partition p join queen.queue q on q.id = p.queue_id"
                    + " where q.name = ? for update of p", queue);
            CompletableFuture<Answer> push = later(() -> client.push(queue, "partition", List.of("second")));
            CompletableFuture<Answer> waiting = later(
                    () -> client.pop(queue, "other", null, "wait=true&timeout=120000"));
            Await.until("both are under way", () -> pushCalls(client) > pushes
                    && client.get("/metrics").body().at("/gauges/queen.pop.parked").asInt() == 1);
            assertThat(push).isNotDone();
            assertThat(waiting).isNotDone();

            queen.get().terminate();

            assertThat(waiting.get(60, TimeUnit.SECONDS).status()).as("a pop that only waits").isEqualTo(204);
            assertThat(client.push(queue, "partition", List.of("third")).status()).as("a new request").isEqualTo(503);
            assertThat(push).isNotDone();
            connection.commit();
            assertThat(push.get(60, TimeUnit.SECONDS).status()).as("the push under way").isEqualTo(201);
        }
        assertThat(queen.get().awaitEnd()).isIn(0, 143);

        queen.set(QueenProcess.start(SETTINGS));
        assertThat(queen.get().client().pop(queue, "partition", null, "batch=5").messages())
                .extracting(QueenClient.Message::transactionId).containsExactly("first", "second");
    }

    private static CompletableFuture<Answer> later(Supplier<Answer> call) {
        return CompletableFuture.supplyAsync(call, task -> Thread.ofVirtual().start(task));
    }

    private static int pushCalls(QueenClient client) {
        return client.get("/metrics").body().at("/calls/push/count").asInt();
    }

    private static String logOfTheLastStart() throws Exception {
        String log = Files.readString(POSTGRES.resolve("postgresql.log"));
        return log.substring(log.lastIndexOf("starting PostgreSQL"));
    }

    /** Opens a connection to the embedded PostgreSQL of the server. */
    private static Connection connect() throws Exception {
        String port = Files.readAllLines(POSTGRES.resolve("pgdata/postmaster.pid")).get(3).strip();
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres",
                Files.readString(POSTGRES.resolve("password")).strip());
    }
}
