package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routines of a release have their own schema, beside that of the previous release. */
class RoutineSetTest {
    private static final String RECORDED_SETS = "select name from queen.routine_set order by name";
    private static final String PRESENT_SETS = "select nspname from pg_namespace where starts_with(nspname, 'queen_api_') order by nspname";

    @RegisterExtension
    static final DatabasePerTest installed = DatabasePerTest.ofShards(1);

    private final Connection connection = installed.connection();
    private final Release release = Release.load();
    private final Release second = edited("second");
    private final Release third = edited("third");

    @Test
    void newSetIsInstalledBesideThePreviousOne() {
        Schema.install(connection, second);

        assertSetsAre(release, second);
    }

    @Test
    void aSetThatNoServerHasUsedForADayIsDropped() {
        Schema.install(connection, second);
        reported(release, "1 day 1 second");
        aged(release, second);
        reported(second, "23 hours");

        Schema.install(connection, third);

        assertSetsAre(second, third);
    }

    /** A canary was started and stopped, and a hotfix was released: the first release still runs everywhere. */
    @Test
    void aThirdReleaseLeavesTheRoutinesOfRunningServersAlone() {
        aged(release);
        reported(release, "5 seconds");
        Schema.install(connection, second);

        Schema.install(connection, third);

        assertSetsAre(release, second, third);
    }

    @Test
    void aSetOfAServerThatHasNotReportedYetIsKeptForADay() {
        Schema.install(connection, second);
        Schema.install(connection, third);

        assertSetsAre(release, second, third);
    }

    @Test
    void allSetsAreKeptWhileAServerRunsThatDoesNotRecordItsSet() {
        Schema.install(connection, second);
        aged(release, second);
        reported(null, "23 hours");

        Schema.install(connection, third);
        assertSetsAre(release, second, third);

        Rows.execute(connection, "update queen.server set seen_at = seen_at - interval '2 hours'");
        Schema.install(connection, second);
        assertSetsAre(second, third);
    }

    @Test
    void aReportRecordsTheSetThatItWasMadeWith() {
        report(release);

        assertThat(Rows.strings(connection, "select routine_set from queen.server"))
                .containsExactly(release.routines().name());
    }

    @Test
    void rolledBackReleaseFindsItsSetAndIsChosen() {
        Schema.install(connection, second);
        assertThat(chosen()).isEqualTo(second.routines().name());

        assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());

        assertSetsAre(release, second);
        assertThat(chosen()).isEqualTo(release.routines().name());
    }

    /** The locks of a backup that reads all tables. */
    @Test
    void rollbackToAnOlderReleaseDoesNotWaitForReaders() throws SQLException {
        Schema.install(connection, second);
        try (var reader = installed.database().connect()) {
            reader.setAutoCommit(false);
            Rows.execute(reader,
                    "lock table queen.migration, queen.routine_set, queen.server, queen.queue in access share mode");

            new Migrator(connection, release, OptionalInt.empty(), CitusUse.AUTO, Duration.ofMillis(500),
                    Duration.ofSeconds(1)).install();

            assertThat(chosen()).isEqualTo(release.routines().name());
        }
    }

    @Test
    void unusedReleaseIsReplacedByAReportingOne() {
        Schema.install(connection, second);
        reported(second, "6 minutes");

        report(release);
        assertThat(chosen()).as("a server of the second release may not have reported yet")
                .isEqualTo(second.routines().name());

        aged(release, second);
        assertThat(chosen()).isEqualTo(second.routines().name());
        report(release);
        assertThat(chosen()).isEqualTo(release.routines().name());
    }

    @Test
    void theReleaseThatStartedLastIsChosenWhileItsServersReport() {
        Schema.install(connection, second);
        aged(release, second);
        reported(second, "10 seconds");

        report(release);

        assertThat(chosen()).isEqualTo(second.routines().name());
    }

    @Test
    void setDroppedByHandIsCreatedAgain() {
        Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");

        Schema.install(connection, release);

        assertSetsAre(release);
    }

    @Test
    void aSetWithAMissingRoutineIsCreatedAgain() {
        Rows.execute(connection, "drop function " + release.routines().name() + ".has_pending");

        Schema.install(connection, release);

        assertThat(
                Rows.number(connection,
                        "select count(*) from pg_proc where pronamespace = '%s'::regnamespace"
                                .formatted(release.routines().name())))
                .isEqualTo(release.routines().statements().size());
    }

    @Test
    void missingRoutinesAreRestoredAndTheChoiceStays() {
        Schema.install(connection, second);
        Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");
        Rows.execute(connection,
                "delete from queen.routine_set where name = '%s'".formatted(release.routines().name()));

        assertThat(Schema.restoreRoutines(connection)).isTrue();

        assertSetsAre(release, second);
        assertThat(chosen()).isEqualTo(second.routines().name());
        assertThat(Schema.restoreRoutines(connection)).as("nothing is missing any more").isFalse();
    }

    @Test
    void routinesAreNotRestoredWhereMigrationsAreMissing() {
        Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");
        Rows.execute(connection, "delete from queen.migration where number = " + release.newest().number());

        assertThatThrownBy(() -> Schema.restoreRoutines(connection)).isInstanceOf(SchemaException.class)
                .hasMessageContaining(release.newest().name()).hasMessageContaining("restart this server");
    }

    @Test
    void aSetWhoseRoutinesAreMissingIsNotChosen() {
        Schema.install(connection, second);
        Rows.execute(connection, "drop schema " + second.routines().name() + " cascade");

        assertThat(chosen()).isEqualTo(release.routines().name());
    }

    @Test
    void routinesAreCreatedAfterThoseTheyCall() {
        var scripts = new ArrayList<>(Script.all());
        scripts.add(new Script("a/caller.sql",
                "create function :api.caller() returns int language sql as $$ select :indirectly(1) $$"));
        scripts.add(new Script("b/callee.sql",
                "create function :api.callee(x int) returns int language sql as $$ select x + 1 $$"));
        scripts.add(new Script("inline/indirectly.sql", "-- :indirectly(x)\n:api.callee(:x)"));
        var called = Release.from(scripts);

        Schema.install(connection, called);

        assertThat(Rows.number(connection, "select " + called.routines().name() + ".caller()")).isEqualTo(2);
    }

    @Test
    void failingSetLeavesThePreviousOneAsItWas() {
        var broken = NextRelease.with("feature/broken.sql", "create function :api.broken() nonsense");

        assertThatThrownBy(() -> Schema.install(connection, broken)).isInstanceOf(SchemaException.class);

        assertSetsAre(release);
    }

    private void assertSetsAre(Release... releases) {
        var names = List.of(releases).stream().map(each -> each.routines().name()).sorted().toList();
        assertThat(Rows.strings(connection, RECORDED_SETS)).isEqualTo(names);
        assertThat(Rows.strings(connection, PRESENT_SETS)).isEqualTo(names);
    }

    private String chosen() {
        return Rows.strings(connection, "select queen.routines()").getFirst();
    }

    /** The sets were installed and chosen more than a day ago, in this order. */
    private void aged(Release... releases) {
        for (int i = 0; i < releases.length; i++) {
            Rows.execute(connection, """
                    update queen.routine_set set installed_at = at, used_at = at
                    from (select clock_timestamp() - interval '25 hours' + %d * interval '1 minute' as at) a
                    where name = '%s'""".formatted(i, releases[i].routines().name()));
        }
    }

    /** A server with this set, and the age of its last report. */
    private void reported(Release by, String ago) {
        Rows.execute(connection,
                """
                insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report, routine_set)
                values (gen_random_uuid(), 'host', 6632, 'worker', 1, now(), clock_timestamp() - interval '%s', 1, %s)"""
                        .formatted(ago, by == null ? "null" : "'" + by.routines().name() + "'"));
    }

    private void report(Release by) {
        NumbersReport.of(UUID.randomUUID(), 1, 0).send(
                Api.open(installed.database().connect(), by.routines().name(), Shards.ONE, Schema.SESSION_SETTINGS));
    }

    private static Release edited(String remark) {
        return NextRelease.with("feature/" + remark + ".sql",
                "create function :api." + remark + "() returns int language sql as $$ select 1 $$");
    }
}
