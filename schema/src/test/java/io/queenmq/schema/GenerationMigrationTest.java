package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Renewal;
import io.queenmq.schema.Api.Resolved;
import io.queenmq.schema.Api.Standing;
import io.queenmq.testkit.TestDatabase;
import io.queenmq.testkit.TestPostgres;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Lanes and cursors that were there before their rows had generations, or their keys names, go on where they were. */
@ParameterizedClass
@ValueSource(ints = {10, 11})
class GenerationMigrationTest {
    private static final String GROUP = "workers";
    private static final UUID QUEUE = UUID.randomUUID();
    private static final UUID LANE = UUID.randomUUID();
    private static final UUID LEASE = UUID.fromString(LANE.toString().substring(0, 14) + "4000-8000-000000000001");

    @Parameter
    int lastBefore;

    private TestDatabase database;
    private Api api;

    @BeforeEach
    void migrateWhatIsThere() {
        database = TestPostgres.shared().createDatabase();
        var connection = database.connect();
        var now = Release.load();
        Schema.install(connection, new Release(now.migrations().subList(0, lastBefore),
                new RoutineSet(RoutineSet.PREFIX + "before", List.of())));
        Rows.execute(connection, """
                insert into queen.queue (id, name, namespace, task) values ('%1$s', 'orders', '', '');
                insert into queen.partition (id, queue_id, name, head, last_push_at)
                values ('%2$s', '%1$s', 'a', 3, clock_timestamp());
                insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                values ('%2$s', 0, 3, clock_timestamp(), decode(repeat('00', 24), 'hex'), 'lines');
                insert into queen.cursor (partition_id, group_name, committed, lease_id, lease_until, lease_end)
                values ('%2$s', 'workers', 1, '%3$s', clock_timestamp() + interval '1 hour', 3);
                """.formatted(QUEUE, LANE, LEASE));
        api = Api.open(connection, Schema.install(connection).api());
    }

    @AfterEach
    void drop() throws SQLException {
        api.close();
        database.close();
    }

    @Test
    void pushGoesOnAtTheHead() {
        assertThat(api.push(new Append(lane(), 3, Batch.ofSize(1)))).singleElement().returns(3L, Appended::base);
    }

    @Test
    void leaseIsStillHeldAndCanBeAcked() {
        assertThat(api.renew(new Renewal(LEASE, 7200))).hasSize(1);
        assertThat(api.ack(new Holder(LANE, GROUP, LEASE, "{[1,3)}"))).singleElement()
                .returns(true, Standing::isLive).returns(3L, Standing::committed);
    }

    @Test
    void laneAndCursorAreNotAddedAgain() {
        assertThat(api.catchUp(0, 0, CatchUp.of(lane(), 0))).singleElement().returns(3L, CaughtUp::head);
        api.openCursors(new Opening(LANE, GROUP, null), new Opening(LANE, "others", null));

        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition")).isOne();
        assertThat(Rows.strings(api.connection(), "select group_name || committed from queen.cursor order by 1"))
                .containsExactly("others0", "workers1");
    }

    @Test
    void laneIsFoundByName() {
        assertThat(api.resolve(QUEUE, GROUP, null, "", 10)).singleElement().returns(LANE, Resolved::lane)
                .returns("a", Resolved::name).returns(true, Resolved::isPending);
    }

    @Test
    void lanesThatComeAndGoAreFoundAndAreNot() {
        api.execute(
                "insert into queen.partition (id, queue_id, name) values (gen_random_uuid(), '" + QUEUE + "', 'b')");
        api.execute("delete from queen.segment where partition_id = '" + LANE + "'");
        api.execute("delete from queen.partition where id = '" + LANE + "'");

        assertThat(api.resolve(QUEUE, GROUP, null, "", 10)).extracting(Resolved::name).containsExactly("b");
    }

    private static Lane lane() {
        return new Lane(QUEUE, "orders", LANE, "a");
    }
}
