package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MigratorTest {
    private static final String RECORDED_SETS = "select name from queen.routine_set order by name";
    private static final String PRESENT_SETS = "select nspname from pg_namespace where starts_with(nspname, 'queen_api_') order by nspname";

    private final Release release = Release.load();
    private final int newest = release.migrations().size();
    private TestDatabase database;
    private Connection connection;

    @BeforeEach
    void openAnEmptyDatabase() {
        database = TestPostgres.shared().createDatabase();
        connection = database.connect();
    }

    @AfterEach
    void dropIt() throws SQLException {
        connection.close();
        database.close();
    }

    @Nested
    class OnAnEmptyDatabase {
        @Test
        void everyMigrationIsAppliedAndRecorded() {
            Schema.install(connection);

            assertThat(Rows.strings(connection, "select name from queen.migration order by number"))
                    .isEqualTo(release.migrations().stream().map(Migration::name).toList());
            assertThat(Rows.strings(connection, "select checksum from queen.migration order by number"))
                    .isEqualTo(release.migrations().stream().map(Migration::checksum).toList());
        }

        @Test
        void everyRoutineIsInTheSchemaThatTheCallerIsTold() {
            var api = Schema.install(connection).api();

            var routines = Script.all().stream()
                    .filter(script -> !script.isIn("migrations") && !script.isIn("inline") && !script.isIn("views"))
                    .map(Script::name).sorted().toList();
            assertThat(api).matches("queen_api_[0-9a-f]{12}");
            assertThat(Rows.strings(connection,
                    "select proname from pg_proc where pronamespace = to_regnamespace(?) order by proname", api))
                    .isEqualTo(routines);
        }

        @Test
        void bodiesAreCompressedWithLz4OrNotAtAll() {
            Schema.install(connection);

            boolean hasLz4 = Rows.strings(connection,
                    "select unnest(enumvals) from pg_settings where name = 'default_toast_compression'")
                    .contains("lz4");
            assertThat(Rows.strings(connection, """
                    select attstorage::text || '/' || attcompression::text from pg_attribute
                    where attrelid = 'queen_00.segment'::regclass and attname = 'body'"""))
                    .containsExactly(hasLz4 ? "x/l" : "e/");
        }

        @Test
        void twentyServersAtOnceAllSucceed() throws Exception {
            var together = new CyclicBarrier(20);
            var apis = atOnce(20, () -> {
                try (var own = database.connect()) {
                    together.await();
                    return Schema.install(own).api();
                }
            });

            assertThat(apis).hasSize(20).containsOnly(release.routines().name());
            assertThat(Rows.number(connection, "select count(*) from queen.migration"))
                    .isEqualTo(release.migrations().size());
        }

        @Test
        void failingMigrationLeavesNothingOfItselfAndSaysWhichItWas() {
            var broken = with(new Script(nextMigration("broken"),
                    "create table queen.half (); create table queen.half ();"));

            assertThatThrownBy(() -> Schema.install(connection, broken))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("_broken").hasMessageContaining("already exists");

            assertThat(Rows.strings(connection, "select to_regclass('queen.half')::text")).containsOnlyNulls();
            assertThat(Rows.number(connection, "select max(number) from queen.migration")).isEqualTo(newest);
            assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());
        }
    }

    @Nested
    class OnACurrentDatabase {
        @BeforeEach
        void install() {
            Schema.install(connection);
        }

        @Test
        void nothingIsChangedAndNothingIsLocked() throws SQLException {
            Rows.execute(connection, "create table ddl (tag text)");
            Rows.execute(connection, """
                    create function record_ddl() returns event_trigger language plpgsql as
                    $$ begin insert into ddl values (tg_tag); end $$""");
            Rows.execute(connection,
                    "create event trigger ddl_start on ddl_command_start execute function record_ddl()");
            connection.setAutoCommit(false);

            // A connection inside a transaction shows afterwards whether the work wrote or locked anything.
            Schema.install(connection);

            assertThat(Rows.strings(connection, "select pg_current_xact_id_if_assigned()::text")).containsOnlyNulls();
            assertThat(Rows.strings(connection, """
                    select mode from pg_locks
                    where pid = pg_backend_pid() and (locktype = 'advisory' or mode <> 'AccessShareLock')
                      and locktype <> 'virtualxid'""")).isEmpty();
            assertThat(Rows.strings(connection, "select tag from ddl")).isEmpty();
        }

        @Test
        void changedChecksumIsRefused() {
            Rows.execute(connection, "update queen.migration set checksum = 'edited' where number = 2");

            assertThatThrownBy(() -> Schema.install(connection))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("0002_shard").hasMessageContaining("edited")
                    .hasMessageContaining("must not change");
        }

        @Test
        void newerDatabaseIsRefused() {
            Rows.execute(connection, """
                    insert into queen.migration (number, name, checksum)
                    select max(number) + 1, 'from_tomorrow', '' from queen.migration""");

            assertThatThrownBy(() -> Schema.install(connection))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("from_tomorrow").hasMessageContaining("newer release");
        }

        @Test
        void newMigrationIsApplied() {
            var next = with(new Script(nextMigration("next"), "create table queen.next (id int)"));

            Schema.install(connection, next);

            assertThat(Rows.number(connection, "select count(*) from queen.next")).isZero();
            assertThat(Rows.number(connection, "select max(number) from queen.migration"))
                    .isEqualTo(newest + 1);
        }
    }

    @Nested
    class WhenAMigrationIsBreaking {
        private final Release breaking = with(new Script(nextMigration("breaking"),
                "-- Breaking: servers before it write queen.audit.\ndrop table queen.audit"));

        @BeforeEach
        void install() {
            Schema.install(connection);
        }

        @Test
        void itIsRefusedWhileAServerRunsWhichIsNamed() {
            serverSeen("0 seconds");
            try (var _ = new Heartbeats(database, "update queen.server set seen_at = now()")) {
                assertRefused();
            }
        }

        @Test
        void aServerThatReportsSeldomIsFoundByItsConsumers() {
            serverSeen("1 hour");
            Rows.execute(connection,
                    """
                    insert into queen.presence select id, clock_timestamp(), '{}', '{}', '{}', '{}', '{}' from queen.server""");
            try (var _ = new Heartbeats(database, "update queen.presence set seen_at = now()")) {
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
        void otherMigrationsDoNotAsk() {
            serverSeen("-1 hour");

            Schema.install(connection, with(new Script(nextMigration("next"), "create table queen.next (id int)")));

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
            assertThat(Rows.strings(connection, "select to_regclass('queen.audit')::text"))
                    .containsExactly("queen.audit");
            assertThat(Rows.number(connection, "select max(number) from queen.migration")).isEqualTo(newest);
        }

        /** A server that is heard of again and again. */
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

    @Nested
    class WithShards {
        @Test
        void eachShardHasTheSameTablesAndReadingThemInQueenIsReadingAll() {
            assertThat(Schema.install(connection, OptionalInt.of(3)).shards()).isEqualTo(new Shards(3));

            assertThat(Rows.strings(connection, "select name from queen.shard order by number"))
                    .containsExactly("queen_00", "queen_01", "queen_02");
            Rows.execute(connection, "insert into queen_00.cursor_key values (gen_random_uuid(), 'a')");
            Rows.execute(connection, "insert into queen_02.cursor_key values (gen_random_uuid(), 'c')");
            assertThat(Rows.strings(connection, "select group_name from queen.cursor_key order by 1"))
                    .containsExactly("a", "c");
        }

        @Test
        void anInstallationThatEndedBeforeTheViewsIsCompleted() {
            Schema.install(connection, OptionalInt.of(3));
            Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");
            Rows.execute(connection, "drop view queen.message, queen.segment, queen.partition cascade");

            Schema.install(connection);

            assertThat(Rows.number(connection, "select count(*) from queen.message")).isZero();
        }

        @Test
        void aDatabaseWithoutCitusIsRefusedBeforeAnythingIsMadeWhereItIsRequired() {
            assertThatThrownBy(() -> Schema.install(connection, OptionalInt.of(3), CitusUse.REQUIRED))
                    .isInstanceOf(SchemaException.class).hasMessageContaining("CREATE EXTENSION citus");

            assertThat(Rows.number(connection, "select count(*) from pg_namespace where nspname like 'queen%'"))
                    .isZero();
        }

        @Test
        void withoutCitusShardsAreSchemasWhateverIsSaid() {
            assertThat(Schema.install(connection, OptionalInt.of(3), CitusUse.OFF).isOnCitus()).isFalse();
            assertThat(Schema.install(connection, OptionalInt.of(3), CitusUse.AUTO).isOnCitus()).isFalse();
        }

        @Test
        void theNumberIsKnownWhenNobodySaysIt() {
            Schema.install(connection, OptionalInt.of(3));

            assertThat(Schema.install(connection).shards()).isEqualTo(new Shards(3));
        }

        @Test
        void anotherNumberIsRefusedAndTheRightOneIsNamed() {
            Schema.install(connection, OptionalInt.of(3));

            assertThatThrownBy(() -> Schema.install(connection, OptionalInt.of(4))).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("made with 3 shards").hasMessageContaining("QUEEN_SHARDS=3");
            assertThat(Rows.number(connection, "select count(*) from queen.shard")).isEqualTo(3);
        }

        @Test
        void aDatabaseThatBeganWithOneShardStaysWithOne() {
            Schema.install(connection);

            assertThatThrownBy(() -> Schema.install(connection, OptionalInt.of(16))).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("made with 1 shard,").hasMessageContaining("QUEEN_SHARDS=1");
        }

        @Test
        void aMigrationOfShardsIsAppliedToEachOfThem() {
            Schema.install(connection, OptionalInt.of(3));

            Schema.install(connection, with(new Script(nextMigration("next"), "create table :shard.next (id int)")));

            Rows.execute(connection, "insert into queen_01.next values (7)");
            assertThat(Rows.number(connection, "select sum(id) from queen.next")).isEqualTo(7);
        }
    }

    @Nested
    class WhenTheRoutinesChange {
        private final Release second = edited("second");
        private final Release third = edited("third");

        @Test
        void newSetStandsBesideThePreviousOne() {
            Schema.install(connection, release);
            Schema.install(connection, second);

            assertSetsAre(release, second);
        }

        @Test
        void onlyThePreviousSetIsKept() {
            Schema.install(connection, release);
            Schema.install(connection, second);
            Schema.install(connection, third);

            assertSetsAre(second, third);
        }

        @Test
        void rolledBackReleaseFindsItsSetAndKeepsItThroughTheNextUpgrade() {
            Schema.install(connection, release);
            Schema.install(connection, second);

            assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());
            assertSetsAre(release, second);

            Schema.install(connection, third);
            assertSetsAre(release, third);
        }

        @Test
        void setDroppedByHandIsCreatedAgain() {
            Schema.install(connection, release);
            Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");

            Schema.install(connection, release);

            assertSetsAre(release);
        }

        @Test
        void failingSetLeavesThePreviousOneAsItWas() {
            Schema.install(connection, release);
            var broken = with(new Script("routines/broken.sql", "create function :api.broken() nonsense"));

            assertThatThrownBy(() -> Schema.install(connection, broken)).isInstanceOf(SchemaException.class);

            assertSetsAre(release);
        }

        private void assertSetsAre(Release... releases) {
            var names = List.of(releases).stream().map(each -> each.routines().name()).sorted().toList();
            assertThat(Rows.strings(connection, RECORDED_SETS)).isEqualTo(names);
            assertThat(Rows.strings(connection, PRESENT_SETS)).isEqualTo(names);
        }
    }

    @Nested
    class OnAServerThatCannotBeUsed {
        @Test
        void otherEncodingIsRefused() throws SQLException {
            Rows.execute(connection, "create database " + database.name()
                    + "_latin encoding 'LATIN1' locale 'C' template template0");
            try (var latin = new TestDatabase(database.host(), database.port(), database.name() + "_latin",
                    database.user(), database.password()); var toLatin = latin.connect()) {
                assertThatThrownBy(() -> Schema.install(toLatin))
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("encoding UTF8").hasMessageContaining("LATIN1");
            }
        }

        @Test
        void olderServerIsRefused() {
            var facts = new ServerFacts(140_013, "14.13", "UTF8", false, false);

            assertThatThrownBy(facts::requireUsable)
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining("PostgreSQL 15 or newer").hasMessageContaining("14.13");
        }

        @Test
        void missingPrivilegeIsReportedInPlainWords() {
            Rows.execute(connection, "create role queen_test_nobody");
            try {
                Rows.execute(connection, "set role queen_test_nobody");

                assertThatThrownBy(() -> Schema.install(connection))
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("cannot install").hasMessageContaining("permission denied");
            } finally {
                Rows.execute(connection, "reset role");
                Rows.execute(connection, "drop role queen_test_nobody");
            }
        }
    }

    private String nextMigration(String name) {
        return "migrations/%04d_%s.sql".formatted(newest + 1, name);
    }

    private static Release with(Script script) {
        var scripts = new ArrayList<>(Script.all());
        scripts.add(script);
        return Release.from(scripts);
    }

    private static Release edited(String remark) {
        return with(new Script("routines/" + remark + ".sql",
                "create function :api." + remark + "() returns int language sql as $$ select 1 $$"));
    }

    private static <T> List<T> atOnce(int count, Callable<T> work) throws InterruptedException, ExecutionException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var futures = new ArrayList<Future<T>>();
            for (int i = 0; i < count; i++) {
                futures.add(threads.submit(work));
            }
            var results = new ArrayList<T>();
            for (var future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }
}
