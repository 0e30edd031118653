package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.testkit.CitusCluster;
import io.queenmq.testkit.CitusDatabase;
import io.queenmq.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sessions on a node of a Citus cluster use the tables of a shard itself, as long as the shard is there. */
@Tag("citus")
class LocalTablesTest {
    private static final String SHARD = "queen_00";

    private final CitusDatabase database = CitusCluster.fromEnvironment().createDatabase();
    private Connection coordinator;
    private String api;

    @BeforeEach
    void install() throws SQLException {
        coordinator = database.coordinator().connect();
        api = Schema.install(coordinator, OptionalInt.of(2)).api();
    }

    @AfterEach
    void drop() throws SQLException {
        coordinator.close();
        database.close();
    }

    @Test
    void writesThroughLocalViewsAreInTheShard() throws SQLException {
        try (Connection session = here().connect()) {
            hold(session, prepare(session));
            Rows.execute(session, "insert into cursor_key values (gen_random_uuid(), 'a')");
            assertThat(Rows.strings(session, "explain select ctid, * from cursor_key where group_name = 'a'"))
                    .noneMatch(line -> line.contains("Citus"));
            Rows.execute(session, "commit");
        }

        assertThat(Rows.number(coordinator, "select count(*) from " + SHARD + ".cursor_key")).isEqualTo(1);
    }

    /** The defaults are defined on the distributed table, not on the tables of its shards. */
    @Test
    void columnsHaveTheirDefaults() throws SQLException {
        try (Connection session = here().connect()) {
            hold(session, prepare(session));
            Rows.execute(session, "insert into touched_partitions (partition_ids) values ('{}'), ('{}')");
            Rows.execute(session, "commit");
        }

        assertThat(Rows.number(coordinator,
                "select count(distinct number) from " + SHARD + ".touched_partitions where queue_names = '{}'"))
                .isEqualTo(2);
    }

    @Test
    void aNodeWithoutTheShardIsNotLocal() throws SQLException {
        try (Connection session = there().connect()) {
            assertThat(Rows.strings(session, "select " + api + ".prepare_local('" + SHARD + "')::text"))
                    .containsOnlyNulls();
            assertThatThrownBy(() -> hold(session, number())).hasMessageContaining("was moved to another node");
        }
    }

    /** Writes to an abandoned table of a moved shard would be lost. */
    @Test
    void aMovedShardCannotBeLocked() throws SQLException {
        try (Connection session = here().connect()) {
            long number = prepare(session);
            move();

            assertThatThrownBy(() -> hold(session, number)).hasMessageContaining("was moved to another node");
            Rows.execute(session, "rollback");
        }
        try (Connection session = here().connect()) {
            hold(session, prepare(session));
            Rows.execute(session, "insert into cursor_key values (gen_random_uuid(), 'a')");
            Rows.execute(session, "commit");
        }
        assertThat(Rows.number(coordinator, "select count(*) from " + SHARD + ".cursor_key")).isEqualTo(1);
    }

    @Test
    void aMoveWaitsForTheTransactionThatLockedTheShard() throws Exception {
        TestDatabase before = here();
        CompletableFuture<Void> moved;
        try (Connection session = before.connect()) {
            hold(session, prepare(session));
            Rows.execute(session, "insert into cursor_key values (gen_random_uuid(), 'a')");
            moved = CompletableFuture.runAsync(() -> {
                try (Connection other = database.coordinator().connect()) {
                    // With logical replication it would wait for every transaction before it requests that lock.
                    move(other, "block_writes");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            awaitWaitingSession(before);
            assertThat(moved).isNotDone();
            Rows.execute(session, "insert into cursor_key values (gen_random_uuid(), 'b')");
            Rows.execute(session, "commit");
        }
        moved.get(60, TimeUnit.SECONDS);

        assertThat(here()).isNotEqualTo(before);
        assertThat(Rows.strings(coordinator, "select group_name from " + SHARD + ".cursor_key order by 1"))
                .containsExactly("a", "b");
    }

    /** Otherwise clear text could be stored after configure has returned that the queue is encrypted. */
    @Test
    void enablingEncryptionWaitsForPushesInProgressOnANode() throws SQLException {
        try (Connection session = here().connect()) {
            hold(session, prepare(session));
            Rows.execute(session, "update segment set count = count where false");

            assertThatThrownBy(() -> Rows.strings(coordinator, "select " + api + ".await_pushes(100)::text"))
                    .hasMessageContaining("appends messages is still open");
            Rows.execute(session, "rollback");
        }
        assertThat(Rows.strings(coordinator, "select " + api + ".await_pushes(100)::text")).containsExactly("true");
    }

    @Test
    void aMigrationChangesTablesThatSessionsWorkOn() throws SQLException {
        try (Connection session = here().connect()) {
            long number = prepare(session);

            Schema.install(coordinator, NextRelease.withMigration("changed", """
                    drop view if exists queen.cursor_key cascade;
                    alter table :shard.cursor_key add column is_new boolean not null default true;
                    alter table :shard.cursor_key alter column group_name type varchar"""));

            hold(session, number);
            Rows.execute(session, "insert into cursor_key (partition_id, group_name) values (gen_random_uuid(), 'a')");
            Rows.execute(session, "commit");
            hold(session, prepare(session));
            Rows.execute(session,
                    "insert into cursor_key (partition_id, group_name, is_new) values (gen_random_uuid(), 'b', false)");
            Rows.execute(session, "commit");
        }
        assertThat(Rows.strings(coordinator, "select group_name || is_new from " + SHARD + ".cursor_key order by 1"))
                .containsExactly("atrue", "bfalse");
    }

    private long prepare(Connection session) {
        return Rows.number(session, "select " + api + ".prepare_local('" + SHARD + "')");
    }

    private void hold(Connection session, long number) {
        Rows.execute(session, "begin");
        Rows.execute(session, "select " + api + ".lock_shard('" + SHARD + "', " + number + ")");
    }

    private long number() {
        return Rows.number(coordinator,
                "select shardid from pg_dist_shard where logicalrelid = '" + SHARD + ".partition'::regclass");
    }

    private void move() {
        move(coordinator, "auto");
    }

    private void move(Connection session, String mode) {
        TestDatabase target = there();
        Rows.execute(session, "select citus_schema_move('" + SHARD + "', '" + target.host() + "', " + target.port()
                + ", '" + mode + "')");
    }

    private TestDatabase here() {
        long port = Rows.number(coordinator,
                "select port from " + api + ".shard_places() where name = '" + SHARD + "'");
        return database.workers().stream().filter(worker -> worker.port() == port).findFirst().orElseThrow();
    }

    private TestDatabase there() {
        TestDatabase here = here();
        return database.workers().stream().filter(worker -> !worker.equals(here)).findFirst().orElseThrow();
    }

    private static void awaitWaitingSession(TestDatabase node) throws Exception {
        try (Connection beside = node.connect()) {
            for (int i = 0; Rows.number(beside,
                    "select count(*) from pg_locks where locktype = 'advisory' and not granted") == 0; i++) {
                assertThat(i).as("polls until a session waits").isLessThan(1_000);
                Thread.sleep(20);
            }
        }
    }
}
