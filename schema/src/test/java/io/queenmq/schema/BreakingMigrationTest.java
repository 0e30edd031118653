package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A breaking migration is applied only if no older server runs. */
class BreakingMigrationTest {
    @RegisterExtension
    static final DatabasePerTest installed = DatabasePerTest.ofShards(1);

    private final Connection connection = installed.connection();
    private final Release breaking = NextRelease.withMigration("breaking",
            "-- Breaking: servers before it write queen.audit.\ndrop table queen.audit");

    @Test
    void breakingMigrationIsRejectedWhileANamedServerRuns() {
        serverSeen("0 seconds");
        try (var _ = new Heartbeats(installed.database(), "update queen.server set seen_at = now()")) {
            assertRefused();
        }
    }

    @Test
    void aServerThatReportsSeldomIsFoundByItsConsumers() {
        serverSeen("1 hour");
        Rows.execute(connection,
                """
                insert into queen.presence select id, clock_timestamp(), '{}', '{}', '{}', '{}', '{}' from queen.server""");
        try (var _ = new Heartbeats(installed.database(), "update queen.presence set seen_at = now()")) {
            assertRefused();
        }
    }

    @Test
    void serversThatStoppedAreWaitedFor() {
        serverSeen("28 seconds");

        Schema.install(connection, breaking);

        assertThat(Rows.strings(connection, "select to_regclass('queen.audit')::text")).containsOnlyNulls();
        assertThat(Rows.number(connection,
                "select count(*) from queen.server where seen_at > clock_timestamp() - interval '30 seconds'"))
                .isZero();
    }

    @Test
    void otherMigrationsDoNotWaitForServers() {
        serverSeen("-1 hour");

        Schema.install(connection, NextRelease.withMigration("next", "create table queen.next (id int)"));

        assertThat(Rows.number(connection, "select count(*) from queen.next")).isZero();
    }

    private void serverSeen(String ago) {
        Rows.execute(connection,
                """
                insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report)
                values (gen_random_uuid(), 'old-host', 6632, 'worker-1', 4711, now(), clock_timestamp() - interval '%s', 0)"""
                        .formatted(ago));
    }

    private void assertRefused() {
        assertThatThrownBy(() -> Schema.install(connection, breaking)).isInstanceOf(SchemaException.class)
                .hasMessageContaining("_breaking").hasMessageContaining("old-host:6632")
                .hasMessageContaining("Stop all servers first")
                .hasMessageContaining("servers before it write queen.audit.");
        assertThat(Rows.strings(connection, "select to_regclass('queen.audit')::text")).containsExactly("queen.audit");
        assertThat(Rows.number(connection, "select max(number) from queen.migration"))
                .isEqualTo(Release.load().newest().number());
    }

    /** A server that reports repeatedly. */
    private static final class Heartbeats implements AutoCloseable {
        private final CountDownLatch isOver = new CountDownLatch(1);
        private final CompletableFuture<Void> beating;

        Heartbeats(TestDatabase database, String beat) {
            beating = CompletableFuture.runAsync(() -> {
                try (var own = database.connect()) {
                    do {
                        Rows.execute(own, beat);
                    } while (!isOver.await(100, TimeUnit.MILLISECONDS));
                } catch (InterruptedException | SQLException e) {
                    throw new IllegalStateException(e);
                }
            }, task -> Thread.ofVirtual().start(task));
        }

        @Override
        public void close() {
            isOver.countDown();
            beating.join();
        }
    }
}
