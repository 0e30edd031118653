package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.Server;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.harness.InstalledDatabase;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.PatientSettings;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections outside the engine that become silent without being closed are closed and replaced. */
@DisplayName("connections outside the engine that go silent are replaced")
@Execution(ExecutionMode.CONCURRENT)
class SilentConnectionTest {
    private static final int STATEMENT_TIMEOUT_MS = 1_000;
    /** The maximum wait for a response. */
    private static final Duration SILENCE_MAX = Duration.ofMillis(STATEMENT_TIMEOUT_MS + 5_000);

    private TestDatabase database;
    private DelayingProxy network;
    private Server server;
    private QueenClient queen;

    @BeforeEach
    void start() {
        database = InstalledDatabase.create();
        network = new DelayingProxy(database.host(), database.port());
        Map<String, String> variables = new HashMap<>(PatientSettings.ALL);
        variables.putAll(Map.of("PORT", "0", "HOST", "127.0.0.1", "NUM_WORKERS", "1", "PG_HOST", "127.0.0.1", "PG_PORT",
                Integer.toString(network.port()), "PG_DB", database.name(), "PG_USER", database.user(), "PG_PASSWORD",
                database.password(), "DB_STATEMENT_TIMEOUT", Integer.toString(STATEMENT_TIMEOUT_MS)));
        server = Server.start(ConfigReader.read(variables));
        queen = new QueenClient(server.url());
    }

    @AfterEach
    void stop() throws Exception {
        network.release();
        server.close();
        network.close();
        database.close();
    }

    @Test
    void anOperatorGetsAResponseAndTheNextUsesAnotherConnection() {
        queen.push("orders", "a", "1");
        assertThat(queen.get("/api/v1/messages?queue=orders").status()).isEqualTo(200);

        network.hold();
        long startNs = System.nanoTime();
        Answer refused = queen.get("/api/v1/messages?queue=orders");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Duration.ofMillis(STATEMENT_TIMEOUT_MS))
                .isLessThan(SILENCE_MAX.multipliedBy(10));
        Await.until(() -> queen.get("/api/v1/messages?queue=orders").status() == 200);
    }

    @Test
    void upkeepAndAnnouncementsContinueOnOtherSessions() {
        Await.until(() -> !leader().isEmpty() && !listener().isEmpty());
        List<String> leaderBefore = leader();
        List<String> listenerBefore = listener();

        network.hold();

        // PostgreSQL receives nothing on the old sessions and ends them, which releases the lock of upkeep.
        Await.until(() -> !leader().isEmpty() && !leader().equals(leaderBefore));
        Await.until(() -> listener().size() == 1 && !listener().equals(listenerBefore));
        Await.until(() -> queen.get("/metrics/prometheus").body().contains("queen_upkeep_leader 1"));
    }

    @Test
    void idleSessionsAreNotClosed() throws Exception {
        Await.until(() -> !leader().isEmpty() && !listener().isEmpty());
        List<String> leaderBefore = leader();
        List<String> listenerBefore = listener();

        Thread.sleep(SILENCE_MAX.multipliedBy(3));

        assertThat(leader()).isEqualTo(leaderBefore);
        assertThat(listener()).isEqualTo(listenerBefore);
    }

    @Test
    void aRedriveContinuesAfterItsConnectionBecameSilent() {
        queen.push("orders", "a", "1");
        queen.ack(queen.popPartition("orders", "a").message(), "dlq");
        String id;
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            // Keeps the transaction of the redrive open: it waits for this lock when it deletes the dead letter.
            TestShards.everywhere(holder, "lock table dead_letter in share mode");
            id = queen.post("/api/v1/dlq/redrive", "{\"queue\":\"orders\"}").json().get("id").asText();
            Await.until(() -> !select("select pid from pg_stat_activity where datname = current_database()"
                    + " and query like '%move_dead_letters%' and wait_event_type = 'Lock'").isEmpty());
            network.hold();
            holder.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }

        Await.until(() -> queen.get("/api/v1/dlq/redrives/" + id).body().contains("\"finished\""));
        assertThat(select("select 1 from queen.dead_letter")).isEmpty();
    }

    private List<String> leader() {
        return select("select l.pid from pg_locks l join pg_database d on d.oid = l.database"
                + " where d.datname = current_database() and l.locktype = 'advisory' and l.granted"
                + " and l.classid = " + 0x71756565 + "::oid and l.objid = " + 0x6e2e7570 + "::oid");
    }

    /** Returns the session whose last query is LISTEN or a heartbeat, and that is not the session of upkeep. */
    private List<String> listener() {
        return select("select pid from pg_stat_activity where datname = current_database()"
                + " and query in ('listen queen_pushed', 'select')"
                + " and pid not in (select pid from pg_locks where locktype = 'advisory')");
    }

    private List<String> select(String sql) {
        List<String> found = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
        return found;
    }
}
