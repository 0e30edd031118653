package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeleteQueueRoutineTest {
    private static final List<String> LANE_TABLES = List.of("queen.segment", "queen.cursor", "queen.failure",
            "queen.dead_letter");

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void missingQueueIsNotThere() {
        assertThat(api.deleteQueue("never was")).isFalse();
    }

    @Test
    void everythingOfTheQueueIsGone() {
        var lane = usedLane();
        long version = Rows.number(api.connection(), "select version from queen.catalog");

        assertThat(api.deleteQueue(lane.queue())).isTrue();

        for (var table : LANE_TABLES) {
            assertThat(rowsIn(table, lane)).as(table).isZero();
        }
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where queue_id = ?",
                lane.queueId())).isZero();
        assertThat(Rows.number(api.connection(), "select version from queen.catalog")).isEqualTo(version + 1);
        assertThat(api.deleteQueue(lane.queue())).isFalse();
    }

    @Test
    void otherQueuesStay() {
        var other = usedLane();

        api.deleteQueue(usedLane().queue());

        for (var table : LANE_TABLES) {
            assertThat(rowsIn(table, other)).as(table).isPositive();
        }
    }

    @Test
    void subscriptionsToTheQueueGoAndThoseToItsNamespaceStay() {
        var lane = database.newLaneWith(1);
        api.subscribe("faithful", lane.queue(), "", "", "all", null);
        api.subscribe("faithful", "", "shop", "", "all", null);
        api.operate("{paused}", "pause_group", "me", "faithful", lane.queue(), true);

        api.deleteQueue(lane.queue());

        assertThat(Rows.number(api.connection(), "select count(*) from queen.subscription where queue_name = ?",
                lane.queue())).isZero();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.group_pause where queue_id = ?",
                lane.queueId())).isZero();
        assertThat(api.subscribe("faithful", lane.queue(), "", "", "new", null).mode()).isEqualTo("new");
        assertThat(api.subscribe("faithful", "", "shop", "", "new", null).mode()).isEqualTo("all");
    }

    @Test
    void whoeverAcknowledgesInATransactionIsToldThatTheQueueIsGone() {
        var lane = database.newLane();
        new Desk(api).fill(lane, "t1");
        var wish = Wish.of(lane, "workers", 1);
        api.openCursors(new Opening(lane.id(), "workers", null));
        api.lease(wish);
        var acknowledge = "select queen.ack('" + lane.id() + "', 'workers', '" + wish.lease() + "', 't1')";
        var mine = database.newSession();
        mine.execute("begin");
        mine.execute(acknowledge);

        api.deleteQueue(lane.queue());

        assertThatThrownBy(() -> mine.execute("commit"))
                .hasMessageContaining("the queue " + lane.queue() + " was deleted");
        assertThatThrownBy(() -> api.execute(acknowledge)).hasMessageContaining("its queue was deleted");
    }

    @Test
    void laneOfADeletedQueueTakesNothingAnyMore() {
        var lane = database.newLaneWith(1);
        api.deleteQueue(lane.queue());

        assertThat(api.push(new Append(lane, 1, Batch.of("late")))).isEmpty();
        assertThat(api.catchUp(10, 10, CatchUp.of(lane, 1))).isEmpty();
        assertThat(api.openCursors(new Opening(lane.id(), "workers", null))).isEmpty();
        assertThat(api.lease(Wish.of(lane, "workers", 1))).isEmpty();
    }

    /** A lane with a row in every table. */
    private Lane usedLane() {
        var lane = database.newLaneWith(3);
        var wish = Wish.of(lane, "workers", 3);
        api.lease(wish);
        api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, 0, "dlq", null), Failed.of(1));
        return lane;
    }

    private long rowsIn(String table, Lane lane) {
        return Rows.number(api.connection(), "select count(*) from " + table + " where partition_id = ?", lane.id());
    }
}
