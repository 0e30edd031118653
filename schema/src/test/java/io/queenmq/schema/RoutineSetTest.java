package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Routines of a release are in a schema of their own, beside those of the release before. */
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
    void newSetStandsBesideThePreviousOne() {
        Schema.install(connection, second);

        assertSetsAre(release, second);
    }

    @Test
    void onlyThePreviousSetIsKept() {
        Schema.install(connection, second);
        Schema.install(connection, third);

        assertSetsAre(second, third);
    }

    @Test
    void rolledBackReleaseFindsItsSetAndKeepsItThroughTheNextUpgrade() {
        Schema.install(connection, second);

        assertThat(Schema.install(connection, release).api()).isEqualTo(release.routines().name());
        assertSetsAre(release, second);

        Schema.install(connection, third);
        assertSetsAre(release, third);
    }

    @Test
    void setDroppedByHandIsCreatedAgain() {
        Rows.execute(connection, "drop schema " + release.routines().name() + " cascade");

        Schema.install(connection, release);

        assertSetsAre(release);
    }

    @Test
    void failingSetLeavesThePreviousOneAsItWas() {
        var broken = NextRelease.with("routines/broken.sql", "create function :api.broken() nonsense");

        assertThatThrownBy(() -> Schema.install(connection, broken)).isInstanceOf(SchemaException.class);

        assertSetsAre(release);
    }

    private void assertSetsAre(Release... releases) {
        var names = List.of(releases).stream().map(each -> each.routines().name()).sorted().toList();
        assertThat(Rows.strings(connection, RECORDED_SETS)).isEqualTo(names);
        assertThat(Rows.strings(connection, PRESENT_SETS)).isEqualTo(names);
    }

    private static Release edited(String remark) {
        return NextRelease.with("routines/" + remark + ".sql",
                "create function :api." + remark + "() returns int language sql as $$ select 1 $$");
    }
}
