package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.PostgresPrograms;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** PostgreSQL with synchronous replication and without its standby: commits wait, and no message may be reported as stored. */
@Execution(ExecutionMode.CONCURRENT)
class SynchronousStandbyTest {
    private static final String WAITING = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";

    @TempDir
    Path folder;

    private final Map<String, String> postgresSettings = Map.of("port", Integer.toString(FreePort.choose()));
    private EmbeddedPostgres postgres;
    private Server server;
    private QueenClient queen;

    @BeforeEach
    void start() {
        postgres = EmbeddedPostgres.start(PostgresPrograms.linkInto(folder.resolve("postgres")), postgresSettings);
        server = open(true);
        queen = new QueenClient(server.url());
        queen.push("orders", "a", "first");
    }

    @AfterEach
    void stop() {
        standby(true);
        server.close();
        postgres.close();
        PostgresPrograms.unlinkFrom(folder.resolve("postgres"));
    }

    @Test
    @DisplayName("a push is buffered while no standby confirms it, and is stored once when the standby is back")
    void aPushIsBufferedAndStoredOnce() {
        standby(false);

        assertThat(pushed("1")).isEqualTo("buffered");

        assertThat(queen.get("/health").status()).isEqualTo(503);
        assertThat(queen.get("/health").json().get("error").asText()).contains("synchronous standby");
        assertThat(select(WAITING)).as("its backend was not ended").isNotEqualTo("1");
        assertThat(pushed("2")).isEqualTo("buffered");
        assertThat(select("select count(*) from queen.message")).isEqualTo("1");
        standby(true);
        Await.until(() -> queen.get("/health").json().at("/spool/pending").asInt() == 0);
        Await.until(() -> queen.get("/health").status() == 200);
        assertThat(select("select string_agg(transaction_id, ',' order by \"offset\") from queen.message"))
                .isEqualTo("first,1,2");
    }

    @Test
    @DisplayName("a copy that only the primary has is not reported as stored after PostgreSQL was restarted")
    void aLocalCopyIsNotReportedAsStored() {
        standby(false);
        assertThat(pushed("1")).isEqualTo("buffered");
        postgres.close();
        postgres = EmbeddedPostgres.start(folder.resolve("postgres"), postgresSettings);
        Await.until(() -> select("select count(*) from queen.message").equals("2"));

        // The server has connected again, and can read the copy.
        Await.until(() -> queen.get("/health").json().path("error").asText().contains("synchronous standby"));
        assertThat(queen.get("/health").json().at("/spool/pending").asInt()).isEqualTo(1);
        assertThat(pushed("1")).isEqualTo("buffered");
        standby(true);

        Await.until(() -> queen.get("/health").json().at("/spool/pending").asInt() == 0);
        assertThat(select("select string_agg(transaction_id, ',' order by \"offset\") from queen.message"))
                .isEqualTo("first,1");
    }

    @Test
    @DisplayName("acks are answered 503 while no standby confirms them, and sessions that wait do not pile up")
    void acksWaitAndSessionsDoNotPileUp() {
        server.close();
        server = open(false);
        queen = new QueenClient(server.url());
        for (int i = 0; i < 10; i++) {
            queen.push("orders", "partition-" + i, "m");
        }
        List<JsonNode> leased = List.of(queen.popPartition("orders", "partition-0").message(),
                queen.popPartition("orders", "partition-1").message());
        standby(false);

        List<CompletableFuture<Integer>> requests = leased.stream()
                .map(each -> CompletableFuture.supplyAsync(() -> queen
                        .post("/api/v1/ack", QueenClient.acknowledgment(each, "completed").toString()).status(),
                        Thread::startVirtualThread))
                .toList();
        for (int i = 2; i < 10; i++) {
            assertThat(queen.push("orders", "partition-" + i, "again").status()).isEqualTo(503);
        }

        assertThat(requests.stream().map(CompletableFuture::join)).containsOnly(503);
        assertThat(Integer.parseInt(select(WAITING))).isLessThanOrEqualTo(7);
        standby(true);
        Await.until(() -> queen.get("/health").status() == 200);
        leased.forEach(each -> assertThat(queen.ack(each, "completed").get("success").asBoolean()).isTrue());
        assertThat(queen.popPartition("orders", "partition-0").status()).as("finished once").isEqualTo(204);
    }

    private String pushed(String transactionId) {
        return queen.push("orders", "a", transactionId).list().getFirst().get("status").asText();
    }

    /** @param isThere false if commits wait for a standby that does not exist */
    private void standby(boolean isThere) {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute("alter system set synchronous_standby_names = '" + (isThere ? "" : "missing") + "'");
            statement.execute("select pg_reload_conf()");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        if (isThere) {
            Await.until(() -> select(WAITING).equals("0"));
        } else {
            Thread.startVirtualThread(() -> select("select pg_logical_emit_message(true, 'test', '')"));
            Await.until(() -> select(WAITING).equals("1"));
        }
    }

    private String select(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", postgres.user());
        properties.setProperty("password", postgres.password());
        return DriverManager.getConnection(
                "jdbc:postgresql://" + postgres.host() + ":" + postgres.port() + "/" + postgres.database(), properties);
    }

    private Server open(boolean hasSpool) {
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "2", "PG_HOST", postgres.host(),
                "PG_PORT", Integer.toString(postgres.port()), "PG_DB", postgres.database(), "PG_USER", postgres.user(),
                "PG_PASSWORD", postgres.password(), "DB_UNAVAILABLE_AFTER_MS", "2000"));
        variables.put("SPOOL_ENABLED", Boolean.toString(hasSpool));
        variables.put("SPOOL_DIR", folder.resolve("spool").toString());
        return Server.start(ConfigReader.read(variables));
    }
}
