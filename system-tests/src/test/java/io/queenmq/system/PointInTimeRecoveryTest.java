package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.embedded.EmbeddedPostgres;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.FreePort;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Restores a base backup and archived WAL to a point in time, while the server continues to run, and checks the effects that
 * docs/guide/backup-and-recovery.md describes.
 */
class PointInTimeRecoveryTest {
    private static final Path WORK = Path.of("target/recovery-" + ProcessHandle.current().pid()).toAbsolutePath();
    private static final Path HOME = WORK.resolve("home");
    private static final Path RESTORED = WORK.resolve("restored");
    private static final Path ARCHIVE = WORK.resolve("archive");
    private static final String QUEUE = "orders";
    private static final String PARTITION = "customer-42";
    private static final String GROUP = "billing";

    @BeforeAll
    static void createArchive() throws IOException {
        Files.createDirectories(ARCHIVE);
        // PostgreSQL runs as another user if the tests run as root.
        Files.setPosixFilePermissions(ARCHIVE, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterAll
    static void removeFiles() throws Exception {
        run("rm", "-rf", WORK.toString());
    }

    @Test
    void theRestoredStateIsThatOfTheTimeAndTheSpoolIsStored() throws Exception {
        String port = Integer.toString(FreePort.choose());
        EmbeddedPostgres postgres = EmbeddedPostgres.start(HOME, Map.of("port", port, "archive_mode", "on",
                "archive_command", "test ! -f " + ARCHIVE + "/%f && cp %p " + ARCHIVE + "/%f"));
        try (QueenProcess queen = QueenProcess.start(settings(postgres))) {
            QueenClient client = queen.client();
            client.push(QUEUE, PARTITION, List.of("a", "b"));
            finish(client, "a");
            baseBackup(postgres);
            client.push(QUEUE, PARTITION, List.of("between"));
            String key = query(postgres, "select encode(key, 'hex') from queen.cluster_key");
            String time = query(postgres, "select clock_timestamp()::text");
            client.push(QUEUE, PARTITION, List.of("lost"));
            finish(client, "b");
            awaitArchived(postgres, query(postgres, "select pg_walfile_name(pg_switch_wal())"));

            postgres.close();
            Await.until("the server notices", () -> client.get("/health").status() == 503);
            assertThat(client.push(QUEUE, PARTITION, List.of("spooled")).body().findValuesAsText("status"))
                    .containsExactly("buffered");
            postgres = EmbeddedPostgres.start(RESTORED, Map.of("port", port, "restore_command",
                    "cp " + ARCHIVE + "/%f %p", "recovery_target_time", time, "recovery_target_action", "promote"));

            Await.until("the server is healthy", () -> client.get("/health").status() == 200);
            assertThat(client.get("/health").body().at("/database_history/changes").asInt()).isPositive();
            EmbeddedPostgres restored = postgres;
            Await.until(() -> stored(restored), () -> stored(restored).equals("a b between spooled"));
            assertThat(query(postgres, "select encode(key, 'hex') from queen.cluster_key")).isEqualTo(key);
            assertThat(client.push(QUEUE, PARTITION, List.of("between", "lost")).body().findValuesAsText("status"))
                    .containsExactly("duplicate", "queued");
            List<Message> again = client.pop(QUEUE, PARTITION, GROUP, "batch=10&wait=true&timeout=30000").messages();
            assertThat(again.stream().map(Message::transactionId)).containsExactly("b", "between", "spooled", "lost");
        } finally {
            postgres.close();
        }
    }

    /** Pops one message and acknowledges it. */
    private static void finish(QueenClient client, String id) {
        List<Message> messages = client.pop(QUEUE, PARTITION, GROUP, "batch=1&wait=true&timeout=30000").messages();
        assertThat(messages.stream().map(Message::transactionId)).containsExactly(id);
        assertThat(client.ack(GROUP, List.of(messages.getFirst().ack("completed"))).isOk()).isTrue();
    }

    /** Copies the data directory, and prepares the copy for a recovery. */
    private static void baseBackup(EmbeddedPostgres postgres) throws Exception {
        try (Connection connection = connect(postgres); Statement statement = connection.createStatement()) {
            statement.execute("select pg_backup_start('guide', true)");
            // PostgreSQL may remove files during the copy. A recovery does not need them.
            run("sh", "-c", "cp -a '" + HOME + "' '" + RESTORED + "' || true");
            Path data = RESTORED.resolve("pgdata");
            try (ResultSet label = statement.executeQuery("select labelfile from pg_backup_stop(true)")) {
                label.next();
                Files.writeString(data.resolve("backup_label"), label.getString(1));
            }
            Files.writeString(data.resolve("recovery.signal"), "");
            Files.deleteIfExists(data.resolve("postmaster.pid"));
            run("sh", "-c", "rm -rf '" + data + "'/pg_wal/0*");
            run("chown", "-R", "--reference=" + HOME.resolve("pgdata"), data.toString());
        }
    }

    private static void awaitArchived(EmbeddedPostgres postgres, String file) {
        Await.until(file + " is archived", () -> Files.exists(ARCHIVE.resolve(file))
                && query(postgres, "select last_archived_wal >= '" + file + "' from pg_stat_archiver").equals("t"));
    }

    private static String stored(EmbeddedPostgres postgres) {
        return query(postgres,
                "select coalesce(string_agg(transaction_id, ' ' order by \"offset\"), '') from queen.message");
    }

    private static String query(EmbeddedPostgres postgres, String sql) {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + postgres.host() + ":" + postgres.port() + "/" + postgres.database(),
                postgres.user(), postgres.password());
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private static Map<String, String> settings(EmbeddedPostgres postgres) {
        return Map.of("PG_HOST", postgres.host(), "PG_PORT", Integer.toString(postgres.port()), "PG_DB",
                postgres.database(), "PG_USER", postgres.user(), "PG_PASSWORD", postgres.password(),
                "DB_UNAVAILABLE_AFTER_MS", "500", "SPOOL_DIR", WORK.resolve("spool").toString());
    }
}
