package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Shards are created with the database, and their number never changes. */
class ShardInstallationTest {
    @RegisterExtension
    static final DatabasePerTest fresh = DatabasePerTest.empty();

    @RegisterExtension
    static final DatabasePerTest three = DatabasePerTest.ofShards(3);

    @Test
    void eachShardHasTheSameTablesAndReadingThemInQueenIsReadingAll() {
        assertThat(Schema.install(fresh.connection(), OptionalInt.of(3)).shards()).isEqualTo(new Shards(3));

        assertThat(Rows.strings(fresh.connection(), "select name from queen.shard order by number"))
                .containsExactly("queen_00", "queen_01", "queen_02");
        Rows.execute(fresh.connection(), "insert into queen_00.cursor_key values (gen_random_uuid(), 'a')");
        Rows.execute(fresh.connection(), "insert into queen_02.cursor_key values (gen_random_uuid(), 'c')");
        assertThat(Rows.strings(fresh.connection(), "select group_name from queen.cursor_key order by 1"))
                .containsExactly("a", "c");
    }

    @Test
    void anInstallationThatEndedBeforeTheViewsIsCompleted() {
        Rows.execute(three.connection(), "drop schema " + Release.load().routines().name() + " cascade");
        Rows.execute(three.connection(), "drop view queen.message, queen.segment, queen.partition cascade");

        Schema.install(three.connection());

        assertThat(Rows.number(three.connection(), "select count(*) from queen.message")).isZero();
    }

    @Test
    void aDatabaseWithoutRequiredCitusIsRejectedBeforeInstallation() {
        assertThatThrownBy(() -> Schema.install(fresh.connection(), OptionalInt.of(3), CitusUse.REQUIRED))
                .isInstanceOf(SchemaException.class).hasMessageContaining("CREATE EXTENSION citus");

        assertThat(Rows.number(fresh.connection(), "select count(*) from pg_namespace where nspname like 'queen%'"))
                .isZero();
    }

    @Test
    void withoutCitusShardsAreSchemas() {
        assertThat(Schema.install(fresh.connection(), OptionalInt.of(3), CitusUse.OFF).isOnCitus()).isFalse();
        assertThat(Schema.install(fresh.connection(), OptionalInt.of(3), CitusUse.AUTO).isOnCitus()).isFalse();
    }

    @Test
    void presentNumberOfShardsIsUsedByDefault() {
        assertThat(Schema.install(three.connection()).shards()).isEqualTo(new Shards(3));
    }

    @Test
    void anotherNumberIsRefusedAndTheRightOneIsNamed() {
        assertThatThrownBy(() -> Schema.install(three.connection(), OptionalInt.of(4)))
                .isInstanceOf(SchemaException.class).hasMessageContaining("created with 3 shards")
                .hasMessageContaining("QUEEN_SHARDS=3");
        assertThat(Rows.number(three.connection(), "select count(*) from queen.shard")).isEqualTo(3);
    }

    @Test
    void aDatabaseThatBeganWithOneShardStaysWithOne() {
        Schema.install(fresh.connection());

        assertThatThrownBy(() -> Schema.install(fresh.connection(), OptionalInt.of(16)))
                .isInstanceOf(SchemaException.class).hasMessageContaining("created with 1 shard,")
                .hasMessageContaining("QUEEN_SHARDS=1");
    }

    @Test
    void aMigrationOfShardsIsAppliedToEachOfThem() {
        Schema.install(three.connection(), NextRelease.withMigration("next", "create table :shard.next (id int)"));

        Rows.execute(three.connection(), "insert into queen_01.next values (7)");
        assertThat(Rows.number(three.connection(), "select sum(id) from queen.next")).isEqualTo(7);
    }
}
