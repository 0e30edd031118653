package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Missing parts are installed once in any usable database; unusable databases are rejected. */
class MigratorTest {
    @RegisterExtension
    static final DatabasePerTest fresh = DatabasePerTest.empty();

    @RegisterExtension
    static final DatabasePerTest installed = DatabasePerTest.ofShards(1);

    private final Release release = Release.load();
    private final int newest = release.newest().number();

    @Nested
    class OnAnEmptyDatabase {
        private final Connection connection = fresh.connection();

        @Test
        void everyMigrationIsAppliedAndRecorded() {
            Schema.install(connection);

            assertThat(Rows.strings(connection, "select name from queen.migration order by number"))
                    .isEqualTo(release.migrations().stream().map(Migration::name).toList());
            assertThat(Rows.strings(connection, "select checksum from queen.migration order by number"))
                    .isEqualTo(release.migrations().stream().map(Migration::checksum).toList());
        }

        @Test
        void allRoutinesAreInTheReturnedSchema() {
            var api = Schema.install(connection).api();

            var routines = Script.all().stream().filter(Script::isRoutine).map(Script::name).sorted().toList();
            assertThat(api).matches("queen_api_[0-9a-f]{12}");
            assertThat(Rows.strings(connection,
                    "select proname from pg_proc where pronamespace = to_regnamespace(?) order by proname", api))
                    .isEqualTo(routines);
        }

        @Test
        void bodiesAreCompressedWithLz4OrNotAtAll() {
            Schema.install(connection);

            boolean hasLz4 = Rows
                    .strings(connection,
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
                try (var own = fresh.database().connect()) {
                    together.await();
                    return Schema.install(own).api();
                }
            });

            assertThat(apis).hasSize(20).containsOnly(release.routines().name());
            assertThat(Rows.number(connection, "select count(*) from queen.migration"))
                    .isEqualTo(release.migrations().size());
        }

        @Test
        void failingMigrationIsRolledBackAndNamed() {
            var broken = NextRelease.withMigration("broken", "create table queen.half (); create table queen.half ();");

            assertThatThrownBy(() -> Schema.install(connection, broken)).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("_broken").hasMessageContaining("already exists");

            assertThat(Rows.strings(connection, "select to_regclass('queen.half')::text")).containsOnlyNulls();
            assertThat(Rows.number(connection, "select max(number) from queen.migration")).isEqualTo(newest);
            assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());
        }
    }

    @Nested
    class OnACurrentDatabase {
        private final Connection connection = installed.connection();

        @Test
        void aSecondRunChangesAndLocksNothing() throws SQLException {
            Rows.execute(connection, "create table ddl (tag text)");
            Rows.execute(connection, """
                    create function record_ddl() returns event_trigger language plpgsql as
                    $$ begin insert into ddl values (tg_tag); end $$""");
            Rows.execute(connection,
                    "create event trigger ddl_start on ddl_command_start execute function record_ddl()");
            connection.setAutoCommit(false);

            // A connection inside a transaction shows afterward whether the work wrote or locked anything.
            Schema.install(connection);

            assertThat(Rows.strings(connection, "select pg_current_xact_id_if_assigned()::text")).containsOnlyNulls();
            assertThat(Rows.strings(connection, """
                    select mode from pg_locks
                    where pid = pg_backend_pid() and (locktype = 'advisory' or mode <> 'AccessShareLock')
                      and locktype <> 'virtualxid'""")).isEmpty();
            assertThat(Rows.strings(connection, "select tag from ddl")).isEmpty();
        }

        @Test
        void newMigrationIsApplied() {
            var next = NextRelease.withMigration("next", "create table queen.next (id int)");

            Schema.install(connection, next);

            assertThat(Rows.number(connection, "select count(*) from queen.next")).isZero();
            assertThat(Rows.number(connection, "select max(number) from queen.migration")).isEqualTo(newest + 1);
        }
    }

    @Nested
    class OnAServerThatCannotBeUsed {
        private final TestDatabase database = fresh.database();
        private final Connection connection = fresh.connection();

        @Test
        void otherEncodingIsRefused() throws SQLException {
            Rows.execute(connection,
                    "create database " + database.name() + "_latin encoding 'LATIN1' locale 'C' template template0");
            try (var latin = new TestDatabase(database.host(), database.port(), database.name() + "_latin",
                    database.user(), database.password()); var toLatin = latin.connect()) {
                assertThatThrownBy(() -> Schema.install(toLatin)).isInstanceOf(SchemaException.class)
                        .hasMessageContaining("encoding UTF8").hasMessageContaining("LATIN1");
            }
        }

        @Test
        void olderServerIsRefused() {
            var facts = new ServerFacts(140_013, "14.13", "UTF8", false, false, "origin");

            assertThatThrownBy(facts::requireUsable).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("PostgreSQL 15 or newer").hasMessageContaining("14.13");
        }

        @Test
        void sessionsWithoutTriggersAreRefused() {
            Rows.execute(connection, "set session_replication_role = replica");

            assertThatThrownBy(() -> Schema.install(connection)).isInstanceOf(SchemaException.class)
                    .hasMessageContaining("session_replication_role = origin").hasMessageContaining("replica");
        }

        @Test
        void missingPrivilegeIsReportedInPlainWords() {
            Rows.execute(connection, "create role queen_test_unprivileged");
            try {
                Rows.execute(connection, "set role queen_test_unprivileged");

                assertThatThrownBy(() -> Schema.install(connection)).isInstanceOf(SchemaException.class)
                        .hasMessageContaining("cannot install").hasMessageContaining("permission denied");
            } finally {
                Rows.execute(connection, "reset role");
                Rows.execute(connection, "drop role queen_test_unprivileged");
            }
        }
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
