package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.TestShards;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A server with an external PostgreSQL that is stopped and started. */
class PostgresRestartTest {
    /** Kept between builds. The next build may use another number of shards. */
    private static final Path HOME = Path.of("target/external-postgres-" + TestShards.COUNT).toAbsolutePath();
    private static final Path SPOOL = QueenProcess.DATA.resolve("external-spool");

    @Test
    void theServerWaitsForPostgresAndContinuesWithoutARestart() {
        Map<String, String> samePort = Map.of("port", Integer.toString(FreePort.choose()));
        EmbeddedPostgres postgres = EmbeddedPostgres.start(HOME, samePort);
        try (QueenProcess queen = QueenProcess.start(settings(postgres)); Load load = Load.start(queen::client)) {
            load.awaitAccepted(500);

            postgres.close();
            answersAreHonestWithoutPostgres(queen.client());
            postgres = EmbeddedPostgres.start(HOME, samePort);
            load.awaitAccepted(500);
            assertThat(load.bufferedCount()).as("messages accepted without PostgreSQL").isPositive();

            // Not even PostgreSQL saw this coming.
            QueenProcess.postgresOf(HOME).forEach(ProcessHandle::destroyForcibly);
            QueenProcess.awaitNoPostgresIn(HOME);
            postgres.close();
            postgres = EmbeddedPostgres.start(HOME, samePort);
            load.awaitAccepted(500);

            load.settleAndVerify();
            assertThat(queen.isAlive()).isTrue();
            assertThat(queen.client().get("/health").status()).isEqualTo(200);
        } finally {
            postgres.close();
        }
        QueenProcess.awaitNoPostgresIn(HOME);
    }

    private static void answersAreHonestWithoutPostgres(QueenClient client) {
        Await.until("the server notices", () -> client.get("/health").status() == 503);
        Answer pushed = client.push("lonely", "partition", List.of("a"));
        assertThat(pushed.status()).isEqualTo(201);
        assertThat(pushed.body().findValuesAsText("status")).containsExactly("buffered");
        assertThat(client.pop("lonely", null, null, "batch=1").status()).isEqualTo(204);
        assertThat(client.pop("lonely", "partition", null, "wait=true&timeout=200").status()).isEqualTo(204);
        Answer transaction = client.post("/api/v1/transaction", Map.of("operations",
                List.of(Map.of("type", "push", "items", QueenClient.items("lonely", "partition", List.of("b"))))));
        assertThat(transaction.status()).isEqualTo(503);
        Answer ack = client.post("/api/v1/ack", Map.of("transactionId", "a", "partitionId",
                UUID.randomUUID().toString(), "leaseId", UUID.randomUUID().toString(), "status", "completed"));
        assertThat(ack.status()).isEqualTo(503);
    }

    /** Accepted means stored, also if the server that accepted it without PostgreSQL is killed before that is back. */
    @Test
    void nothingInTheSpoolIsLostOrDoubledWhenTheServerIsKilledToo() {
        Map<String, String> samePort = Map.of("port", Integer.toString(FreePort.choose()));
        EmbeddedPostgres postgres = EmbeddedPostgres.start(HOME, samePort);
        AtomicReference<QueenProcess> queen = new AtomicReference<>(QueenProcess.start(settings(postgres)));
        Map<String, String> settings = settings(postgres);
        try (Load load = Load.start(() -> queen.get().client())) {
            load.awaitAccepted(300);
            // PostgreSQL stops under load, and the server stops with many messages in its spool.
            QueenProcess.postgresOf(HOME).forEach(ProcessHandle::destroyForcibly);
            load.awaitAccepted(1_000);
            queen.get().killHard();
            postgres.close();
            postgres = EmbeddedPostgres.start(HOME, samePort);
            queen.set(QueenProcess.start(settings));
            // PostgreSQL stops again while the spool is drained.
            load.awaitAccepted(100);
            queen.get().killHard();
            queen.set(QueenProcess.start(settings));
            load.awaitAccepted(300);

            assertThat(load.bufferedCount()).isGreaterThan(500);
            load.settleAndVerify();
        } finally {
            queen.get().close();
            postgres.close();
        }
        QueenProcess.awaitNoPostgresIn(HOME);
    }

    @Test
    void twoServersMayStartAtOnceOnAnEmptyDatabase() {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(HOME)) {
            Map<String, String> settings = new HashMap<>(settings(postgres));
            settings.put("PG_DB", createDatabase(postgres));
            try (QueenProcess first = QueenProcess.launch(settings);
                    QueenProcess second = QueenProcess.launch(settings)) {
                CompletableFuture.allOf(CompletableFuture.runAsync(first::awaitReady),
                        CompletableFuture.runAsync(second::awaitReady)).join();

                assertThat(first.client().push("shared", "partition", List.of("a")).status()).isEqualTo(201);
                assertThat(second.client().push("shared", "partition", List.of("a", "b")).body()
                        .findValuesAsText("status")).containsExactly("duplicate", "queued");
                Await.until("the other server knows the queue", () -> !second.client()
                        .pop("shared", null, null, "batch=5&wait=true&timeout=2000").messages().isEmpty());
            }
        }
    }

    private static String createDatabase(EmbeddedPostgres postgres) {
        String name = "empty_" + System.nanoTime();
        String url = "jdbc:postgresql://" + postgres.host() + ":" + postgres.port() + "/" + postgres.database();
        try (var connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("create database " + name);
            return name;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> settings(EmbeddedPostgres postgres) {
        return Map.of("PG_HOST", postgres.host(), "PG_PORT", Integer.toString(postgres.port()), "PG_DB",
                postgres.database(), "PG_USER", postgres.user(), "PG_PASSWORD", postgres.password(),
                "DB_UNAVAILABLE_AFTER_MS", "500", "SPOOL_DIR", SPOOL.toString());
    }
}
