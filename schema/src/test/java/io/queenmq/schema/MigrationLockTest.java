package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A migration that waits for a table lock does not block other sessions for long. */
class MigrationLockTest {
    private static final Duration LOCK_WAIT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final String NEXT = "addition";

    @RegisterExtension
    static final DatabasePerTest installed = DatabasePerTest.ofShards(1);

    private Connection migrating;
    private Connection holder;
    private Connection other;

    @BeforeEach
    void installTheRelease() throws SQLException {
        migrating = installed.connection();
        holder = installed.database().connect();
        other = installed.database().connect();
        Rows.execute(holder, "set application_name = 'a long report'");
        holder.setAutoCommit(false);
        Rows.execute(other, "set statement_timeout = '60s'");
        Rows.execute(other,
                "insert into queen.queue (id, name, namespace, task) values (gen_random_uuid(), 'q', '', '')");
    }

    @AfterEach
    void close() throws SQLException {
        holder.close();
        other.close();
    }

    @Test
    @DisplayName("other sessions read and write the table between the attempts, and the migration locks it when it is free")
    void otherSessionsContinueBetweenAttempts() throws Exception {
        Rows.strings(holder, "select name from queen.queue");
        var migration = migrateLater(LONG);
        awaitWait();

        // Each of them may wait behind one attempt; then the migration is rolled back and retried.
        for (int i = 0; i < 3; i++) {
            Rows.execute(other, "update queen.queue set priority = " + i + " where name = 'q'");
            awaitWait();
        }
        assertThat(migration).isNotDone();
        assertThat(Rows.strings(other, "select priority::text from queen.queue")).containsExactly("2");

        holder.rollback();
        migration.get(1, TimeUnit.MINUTES);
        assertThat(Rows.number(other, "select count(*) from queen.queue where addition = 7")).isEqualTo(1);
    }

    @Test
    void blockingSessionIsNamed() throws Exception {
        Rows.strings(holder, "select name from queen.queue");

        assertThatThrownBy(() -> migrate(Duration.ofMillis(1))).isInstanceOf(SchemaException.class)
                .hasMessageContaining("_" + NEXT).hasMessageContaining("a long report")
                .hasMessageContaining("idle in transaction").hasMessageContaining("queen.queue");

        holder.rollback();
        migrate(LONG);
    }

    @Test
    void theInstallationOfRoutinesWaitsNoLongerEither() throws Exception {
        Rows.strings(holder, "select transaction_id from queen.message");
        var release = NextRelease.with("views/less.sql", "drop view queen.message");

        assertThatThrownBy(() -> new Migrator(migrating, release, OptionalInt.empty(), CitusUse.AUTO, LOCK_WAIT,
                Duration.ofMillis(1)).install()).isInstanceOf(SchemaException.class).hasMessageContaining("routines")
                .hasMessageContaining("a long report").hasMessageContaining("queen.message");
        assertThat(Rows.strings(other, "select transaction_id from queen.message")).isEmpty();
    }

    @Test
    void anotherServerThatChangesTheSchemaIsWaitedFor() throws Exception {
        final CompletableFuture<Void> migration;
        try (var _ = SchemaLock.acquire(other, Deadline.of(LONG))) {
            assertThatThrownBy(() -> migrate(Duration.ofMillis(1))).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("another server");
            migration = migrateLater(LONG);
            assertThatThrownBy(() -> migration.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        }
        migration.get(1, TimeUnit.MINUTES);
    }

    private CompletableFuture<Void> migrateLater(Duration patience) {
        var done = new CompletableFuture<Void>();
        Thread.ofVirtual().start(() -> {
            try (var own = installed.database().connect()) {
                new Migrator(own, nextRelease(), OptionalInt.empty(), CitusUse.AUTO, LOCK_WAIT, patience).install();
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private void migrate(Duration patience) throws SQLException {
        new Migrator(migrating, nextRelease(), OptionalInt.empty(), CitusUse.AUTO, LOCK_WAIT, patience).install();
    }

    private static Release nextRelease() {
        return NextRelease.withMigration(NEXT, "alter table queen.queue add column addition int not null default 7");
    }

    private void awaitWait() throws InterruptedException {
        long deadlineNs = System.nanoTime() + LONG.toNanos();
        while (Rows.number(other, "select count(*) from pg_locks l where not l.granted"
                + " and l.mode = 'AccessExclusiveLock' and l.relation = 'queen.queue'::regclass") == 0) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(5);
        }
    }
}
