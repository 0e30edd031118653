package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lanes that are empty and unused go, and may come back. */
class IdleLaneTest {
    private static final String GROUP = "workers";
    private static final int MONTH = 31 * 86_400;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);
    private final Lane lane = database.newLaneWith(5, Map.of("retention_enabled", true, "retention_s", 100));

    @Test
    void anEmptyLaneGoesWithItsCursors() {
        emptyFor(MONTH);

        assertThat(goes()).isTrue();

        assertThat(api.operate("{series,0,partitionsDeleted}", "queue_ops", lane.queue(), null, null)).isEqualTo("1");
        for (var table : List.of("partition where id", "cursor where partition_id", "lane_upkeep where partition_id")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " = ?", lane.id()))
                    .as(table).isZero();
        }
    }

    @Test
    void theStateOfStreamQueriesGoesWithItsLane() {
        api.in(lane,
                """
                insert into queen.stream_query (name, source_queue, config_hash) values ('%1$s', '%1$s', 'h');
                insert into stream_lane (query_id, partition_id, partition_name, state_rows) select id, '%2$s', 'a', 1 from queen.stream_query where name = '%1$s';
                insert into stream_state select state_id, '%2$s', 'k', '1', false, null, now() from queen.stream_query where name = '%1$s'"""
                        .formatted(lane.queue(), lane.id()));
        emptyFor(MONTH);

        assertThat(goes()).isTrue();

        for (var table : List.of("stream_lane", "stream_state")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " where partition_id = ?",
                    lane.id())).as(table).isZero();
        }
    }

    @Test
    void aLaneThatIsNotIdleLongEnoughStays() {
        emptyFor(MONTH - 2 * 86_400);

        assertThat(goes()).isFalse();
        assertThat(heads()).containsExactly(5L);
    }

    @Test
    void aLaneThatIsUsedAgainStays() {
        emptyFor(MONTH);
        api.push(new Append(lane, 5, Batch.ofSize(1)));

        assertThat(goes()).isFalse();
        assertThat(upkeep.dueIn(lane, "idle")).isNull();
        upkeep.retain();
        upkeep.age(lane, MONTH);
        upkeep.retain();
        assertThat(goes()).isTrue();
    }

    @Test
    void aLaneWithMessagesStays() {
        upkeep.age(lane, MONTH);

        assertThat(goes()).isFalse();
    }

    @Test
    void aLaneWithDeadLettersStays() {
        var wish = Wish.of(lane, GROUP, 1);
        api.lease(wish);
        api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, 0, "dlq", null));
        emptyFor(MONTH);

        assertThat(goes()).isFalse();
        assertThat(heads()).containsExactly(5L);
    }

    /** Who knows the lane from before cannot mistake other messages for those it knew. */
    @Test
    void aLaneThatComesBackGoesOnWhereItEnded() {
        emptyFor(MONTH);
        upkeep.deleteIdleLanes(30, 100);
        assertThat(api.push(new Append(lane, 5, Batch.of("x")))).as("the lane is gone").isEmpty();

        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, 5)).getFirst()).returns(5L, CaughtUp::head)
                .returns(5L, CaughtUp::known).returns(true, CaughtUp::isNew);

        assertThat(api.push(new Append(lane, 5, Batch.of("x")))).extracting(Appended::base).containsExactly(5L);
        assertThat(api.catchUp(100, 3600, CatchUp.of(lane, 5)).getFirst().isNew()).isFalse();
        api.openCursors(new Opening(lane.id(), GROUP, null));
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst()).returns(5L, Given::first).returns(6L, Given::end);
    }

    @Test
    void otherNewLanesOfTheQueueBeginThereToo() {
        emptyFor(MONTH);
        upkeep.deleteIdleLanes(30, 100);
        var other = database.lane(lane.queueId(), lane.queue(), "another");

        assertThat(api.catchUp(100, 3600, CatchUp.of(other, -1)).getFirst().head()).isEqualTo(5);
    }

    @Test
    void aLaneThatAnOperatorEmptiedGoesWithoutAnyRetention() {
        var cleared = database.newLaneWith(2);
        api.operate("{success}", "clear_queue", "me", cleared.queue(), null);
        var picked = database.newLaneWith(1);
        api.in(picked, "select " + api.schema() + ".remove_offset('" + picked.id() + "', 0)");
        assertThat(upkeep.kept(picked)).isNotEmpty();

        for (var each : List.of(cleared, picked)) {
            upkeep.age(each, MONTH);
            upkeep.deleteIdleLanes(30, 100);

            assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", each.id()))
                    .isZero();
            assertThat(upkeep.kept(each)).isEmpty();
        }
    }

    @Test
    void aPushUnderWayKeepsTheLane() {
        emptyFor(MONTH);
        var session = database.newSession();
        session.execute("begin");
        session.push(new Append(lane, 5, Batch.of("x")));

        assertThat(goes()).isFalse();
        session.execute("commit");
        assertThat(goes()).isFalse();
        assertThat(heads()).containsExactly(6L);
    }

    @Test
    void nobodyOpensACursorInALaneThatIsBeingDeleted() {
        emptyFor(MONTH);
        var session = database.newSession();
        session.execute("begin");
        assertThat(new Upkeep(session).deleteIdleLanes(30, 100)).isPositive();

        assertThat(api.openCursors(new Opening(lane.id(), "late", null))).as("it is still there").containsExactly(1);
        session.execute("commit");
        assertThat(api.openCursors(new Opening(lane.id(), "late", null))).isEmpty();

        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where partition_id = ?", lane.id()))
                .isZero();
    }

    private void emptyFor(int seconds) {
        upkeep.age(lane, seconds);
        upkeep.retain();
        assertThat(upkeep.kept(lane)).isEmpty();
        assertThat(upkeep.dueIn(lane, "idle")).isNotNull();
    }

    private boolean goes() {
        upkeep.deleteIdleLanes(30, 100);
        return heads().isEmpty();
    }

    private List<Long> heads() {
        return api.list(rows -> rows.getLong(1), "select head from queen.partition where id = ?", lane.id());
    }
}
