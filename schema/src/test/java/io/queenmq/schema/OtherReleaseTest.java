package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A release starts on a database that a newer release has migrated, unless a migration is breaking; other databases are refused. */
class OtherReleaseTest {
    @RegisterExtension
    static final DatabasePerTest installed = DatabasePerTest.ofShards(3);

    private final Connection connection = installed.connection();
    private final Release release = Release.load();
    private final int newest = release.newest().number();

    @Nested
    class AfterANewerRelease {
        @Test
        void theOlderReleaseStartsAndChangesNoTable() {
            Schema.install(connection, newer("alter table :shard.segment add column extra int"));
            var tables = columns();

            assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());

            assertThat(columns()).isEqualTo(tables);
            assertThat(Rows.number(connection, "select max(number) from queen.migration")).isEqualTo(newest + 1);
        }

        @Test
        void theOlderReleaseInstallsItsRoutinesAndKeepsTheViews() {
            var view = Script.all().stream().filter(script -> script.isIn("views")).findFirst().orElseThrow();
            Schema.install(connection, newer("alter table :shard.segment add column extra int"));
            Rows.execute(connection, view.text().replace("as headers\n", "as headers, s.extra\n"));
            Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");
            var views = columns();

            Schema.install(connection, release);

            assertThat(columns()).isEqualTo(views).anyMatch(column -> column.equals("queen.message.extra"));
            assertThat(routineCount()).isPositive();
        }

        @Test
        void aViewWithMoreColumnsStaysAlsoWithoutANewMigration() {
            var view = Script.all().stream().filter(script -> script.isIn("views")).findFirst().orElseThrow();
            Rows.execute(connection, view.text().replace("as headers\n", "as headers, s.count\n"));
            Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");

            Schema.install(connection, release);

            assertThat(columns()).contains("queen.message.count");
            assertThat(routineCount()).isPositive();
        }

        @Test
        void aBreakingMigrationIsNamedWithItsReasonAndTheReleaseToStart() {
            Schema.install(connection,
                    newer("-- Breaking: the column is gone.\nalter table queen.audit drop column after"));
            Rows.execute(connection, "update queen.migration set release = '9.1' where number = " + (newest + 1));

            assertRefused().hasMessageContaining("newer release").hasMessageContaining("_newer")
                    .hasMessageContaining("the column is gone.").hasMessageContaining("Start release 9.1 or newer");
        }

        @Test
        void aBreakingMigrationBeforeOneThatIsNotIsFoundToo() {
            Schema.install(connection,
                    newer("-- Breaking: the column is gone.\nalter table queen.audit drop column after"));
            Rows.execute(connection, "insert into queen.migration (number, name, checksum) values (%d, 'later', '')"
                    .formatted(newest + 2));

            assertRefused().hasMessageContaining("_newer");
        }

        @Test
        void aReleaseOfAnotherLineIsRefused() {
            Schema.install(connection, newer("create table queen.next (id int)"));
            Rows.execute(connection, "delete from queen.migration where number = " + newest);

            assertRefused().hasMessageContaining("_newer").hasMessageContaining(release.newest().name())
                    .hasMessageContaining("another line");
        }

        private Release newer(String sql) {
            return NextRelease.withMigration("newer", sql);
        }
    }

    @Nested
    class AfterABuildWithOtherMigrations {
        @Test
        void aChangedMigrationIsNamedWithBothChecksums() {
            Rows.execute(connection, "update queen.migration set checksum = 'edited' where number = 2");

            assertRefused().hasMessageContaining("0002_shard").hasMessageContaining("edited")
                    .hasMessageContaining(release.migrations().get(1).checksum())
                    .hasMessageContaining("set up by a build with other migrations");
        }

        @Test
        void aShorterListOfMergedMigrationsIsNotANewerRelease() {
            Rows.execute(connection, "update queen.migration set checksum = 'before the merge'");
            Rows.execute(connection, """
                    insert into queen.migration (number, name, checksum)
                    select n, 'before_' || n, '' from generate_series(%d, %d) n""".formatted(newest + 1, newest + 20));

            assertRefused().hasMessageContaining("0001_catalog").hasMessageContaining("before the merge")
                    .hasMessageContaining("set up by a build with other migrations")
                    .hasMessageNotContaining("newer release");
        }

        @Test
        void aMigrationThatThisReleaseDoesNotContainIsNamed() {
            var scripts = new ArrayList<>(Script.all());
            scripts.removeIf(script -> script.path().startsWith("migrations/0002"));

            assertThatThrownBy(() -> Schema.install(connection, Release.from(scripts)))
                    .isInstanceOf(SchemaException.class).hasMessageContaining("0002_shard")
                    .hasMessageContaining("does not contain")
                    .hasMessageContaining("set up by a build with other migrations");
        }
    }

    @Test
    void aDatabaseThatDoesNotRecordBreakingMigrationsYetIsUpgraded() {
        Rows.execute(connection, "alter table queen.migration drop column breaking, drop column release");

        Schema.install(connection, NextRelease.withMigration("newer", "-- Breaking: because.\nselect 1"));

        assertThat(Rows.strings(connection, "select breaking from queen.migration where number = " + (newest + 1)))
                .containsExactly("because.");
        assertThat(Rows.strings(connection, "select release from queen.migration where number = " + (newest + 1)))
                .containsExactly(Release.version());
    }

    @Test
    void aMigrationWithALowerNumberThatWasAddedLaterIsApplied() {
        var scripts = new ArrayList<>(Script.all());
        scripts.add(new Script("migrations/%04d_late.sql".formatted(newest + 1), "create table queen.late (id int)"));
        scripts.add(new Script("migrations/%04d_early.sql".formatted(newest + 5), "create table queen.early (id int)"));
        var both = Release.from(scripts);
        scripts.remove(scripts.size() - 2);
        Schema.install(connection, Release.from(scripts));

        Schema.install(connection, both);

        assertThat(Rows.number(connection, "select count(*) from queen.late, queen.early")).isZero();
    }

    private AbstractThrowableAssert<?, ?> assertRefused() {
        var before = columns();
        var refused = assertThatThrownBy(() -> Schema.install(connection, release)).isInstanceOf(SchemaException.class);
        assertThat(columns()).isEqualTo(before);
        return refused;
    }

    private List<String> columns() {
        return Rows.strings(connection, """
                select table_schema || '.' || table_name || '.' || column_name
                from information_schema.columns
                where starts_with(table_schema, 'queen')
                order by 1""");
    }

    private long routineCount() {
        return Rows.number(connection, "select count(*) from pg_proc where pronamespace = '%s'::regnamespace"
                .formatted(release.routines().name()));
    }
}
