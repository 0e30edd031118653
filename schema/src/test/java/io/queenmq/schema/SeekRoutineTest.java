package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Renewal;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** seek_lane and seek_queue: a group goes on elsewhere, at once, and whoever held a lane holds it no longer. */
class SeekRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void aLaneIsSoughtToItsEndWhenNothingIsSaid() {
        var lane = lane(5);

        assertThat(seekLane(lane, false, false, null, null)).isEqualTo("5");
        assertThat(CursorRow.of(api, lane, GROUP).committed()).isEqualTo(5);
    }

    @Test
    void aLaneIsSoughtToAnyOffsetItKeeps() {
        var lane = lane(5);

        assertThat(seekLane(lane, false, false, null, 3L)).isEqualTo("3");
        assertThat(seekLane(lane, false, true, null, null)).isEqualTo("0");
        assertThat(seekLane(lane, true, false, null, null)).isEqualTo("5");
        assertThatThrownBy(() -> seekLane(lane, false, false, null, 6L)).hasMessageContaining("from 0 to 5");
    }

    @Test
    void aSeekEndsTheLeaseAndForgetsWhatFailedAndWhatWasAckedOutOfOrder() {
        var lane = lane(5, Map.of("retry_delay_ms", 60_000));
        var failing = Wish.of(lane, GROUP, 3);
        api.lease(failing);
        api.nack(List.of(Holder.of(failing, "{[1,2)}")), Failed.of(0));
        assertThat(CursorRow.of(api, lane, GROUP).isFailing()).isTrue();

        seekLane(lane, false, true, null, null);

        var cursor = CursorRow.of(api, lane, GROUP);
        assertThat(cursor.acked()).isNull();
        assertThat(cursor.isFailing()).isFalse();
        assertThat(cursor.retryAt()).isNull();
        assertThat(
                Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?", lane.id()))
                .isZero();
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst().end()).isEqualTo(5);
    }

    @Test
    void whatIsSaidWithTheOldLeaseChangesNothing() {
        var lane = lane(5);
        var old = Wish.of(lane, GROUP, 5);
        api.lease(old);
        seekLane(lane, false, false, null, 2L);

        assertThat(api.ack(Holder.of(old, "{[0,5)}")).getFirst().isLive()).isFalse();
        assertThat(api.renew(new Renewal(old.lease(), 60))).isEmpty();
        assertThat(api.release(Holder.of(old, "{}"))).isEmpty();
        assertThat(api.nack(List.of(Holder.of(old, "{}")), Failed.of(2)).items()).isEmpty();
        assertThat(CursorRow.of(api, lane, GROUP).committed()).isEqualTo(2);
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst().first()).isEqualTo(2);
    }

    @Test
    void aMomentMeansTheFirstMessageStrictlyAfterIt() {
        var lane = lane(1);
        for (int i = 1; i < 40; i++) {
            api.push(new Append(lane, i, Batch.of("m" + i)));
        }
        for (int i : List.of(0, 7, 19, 38)) {
            assertThat(seekLane(lane, false, false, createdAt(lane, i), null)).as("after " + i).isEqualTo("" + (i + 1));
            assertThat(seekLane(lane, false, false, createdAt(lane, i).minusNanos(1000), null)).isEqualTo("" + i);
        }
        assertThat(seekLane(lane, false, false, createdAt(lane, 39), null)).isEqualTo("40");
    }

    @Test
    void aMomentNeverLeadsBehindTheTail() {
        var lane = lane(1);
        for (int i = 1; i < 10; i++) {
            api.push(new Append(lane, i, Batch.ofSize(1)));
        }
        api.everywhere("update partition set tail = 4 where id = '" + lane.id() + "'");
        api.everywhere("delete from segment where base < 4 and partition_id = '" + lane.id() + "'");

        assertThat(seekLane(lane, false, false, OffsetDateTime.parse("2000-01-01T00:00:00Z"), null)).isEqualTo("4");
        assertThat(seekLane(lane, false, false, createdAt(lane, 6), null)).isEqualTo("7");
    }

    /** Each message ends once, unless it is given again: then it is counted again, and what was skipped says by how many. */
    @Test
    void totalsAddUpToHowFarTheCursorCame() {
        var lane = lane(10);
        api.lease(true, Wish.of(lane, GROUP, 6));
        seekLane(lane, false, false, null, 2L);
        assertTotals(lane, 6, -4);

        api.lease(true, Wish.of(lane, GROUP, 3));
        assertTotals(lane, 9, -4);

        var held = Wish.of(lane, GROUP, 4);
        api.lease(held);
        api.ack(Holder.of(held, "{[7,8)}"));
        seekLane(lane, true, false, null, null);
        assertTotals(lane, 10, 0);
    }

    @Test
    void aQueueIsSoughtInAllItsLanesWhetherTheGroupCameToThemOrNot() {
        var lanes = database.newLanes(3);
        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(4))));
        api.subscribe(GROUP, lanes.getFirst().queue(), "", "", "all", null);
        var held = Wish.of(lanes.getFirst(), GROUP, 2);
        api.openCursors(new Opening(lanes.getFirst().id(), GROUP, null));
        api.lease(held);

        assertThat(seekQueue("partitionsUpdated", lanes.getFirst(), true, false, null)).isEqualTo("3");

        assertThat(lanes).allSatisfy(lane -> assertThat(CursorRow.of(api, lane, GROUP).committed()).isEqualTo(4));
        assertThat(api.ack(Holder.of(held, "{[0,2)}")).getFirst().isLive()).isFalse();
        assertThat(api.subscribe(GROUP, lanes.getFirst().queue(), "", "", "all", null).mode()).isEqualTo("new");
        assertThat(seekQueue("partitionsUpdated", lanes.getFirst(), false, true, null)).isEqualTo("3");
        assertThat(lanes).allSatisfy(lane -> assertThat(CursorRow.of(api, lane, GROUP).committed()).isZero());
    }

    @Test
    void aQueueIsSoughtToAMomentInEachLane() {
        var lanes = database.newLanes(2);
        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(2))));
        api.push(new Append(lanes.getFirst(), 2, Batch.ofSize(2)));
        api.subscribe(GROUP, lanes.getFirst().queue(), "", "", "all", null);

        seekQueue("success", lanes.getFirst(), false, false, createdAt(lanes.get(1), 0));

        assertThat(CursorRow.of(api, lanes.get(0), GROUP).committed()).isEqualTo(2);
        assertThat(CursorRow.of(api, lanes.get(1), GROUP).committed()).isEqualTo(2);
    }

    @Test
    void thoseWhoCompeteForAQueueMayBeSoughtBeforeTheyCame() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.ofSize(3)));

        assertThat(api.operate("{partitionsUpdated}", "seek_queue", "me", "__QUEUE_MODE__", lane.queue(), true, false,
                null))
                .isEqualTo("1");
    }

    /** Whatever mode its first pop names, for lanes that are there and lanes that come later. */
    @Test
    void aGroupThatHasNotComeYetWillBeginWhereItWasSought() {
        var lanes = database.newLanes(2);
        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(2))));
        var first = lanes.getFirst();

        assertThat(seekQueue("partitionsUpdated", first, true, false, null)).isEqualTo("0");
        api.push(new Append(first, 2, Batch.ofSize(1)));
        assertThat(api.subscribe(GROUP, first.queue(), "", "", "all", null).mode()).isEqualTo("new");
        lanes.forEach(lane -> api.openCursors(new Opening(lane.id(), GROUP, null)));

        assertThat(CursorRow.of(api, lanes.get(0), GROUP).committed()).as("what came since is read").isEqualTo(2);
        assertThat(CursorRow.of(api, lanes.get(1), GROUP).committed()).isEqualTo(2);
        assertThat(seekQueue("partitionsUpdated", first, false, true, null)).as("now it reads").isEqualTo("2");
    }

    @Test
    void aLaterSeekReplacesAnEarlierOneAlsoBeforeTheGroupCame() {
        var lane = laneOfNobody();
        seekQueue("success", lane, true, false, null);

        assertThat(seekQueue("partitionsUpdated", lane, false, true, null)).isEqualTo("0");

        assertThat(api.subscribe(GROUP, lane.queue(), "", "", "new", null).mode()).isEqualTo("all");
        api.openCursors(new Opening(lane.id(), GROUP, null));
        assertThat(CursorRow.of(api, lane, GROUP).committed()).isZero();
    }

    @Test
    void aMomentIsRememberedForLanesThatComeLater() {
        var lanes = database.newLanes(2);
        api.push(new Append(lanes.getFirst(), 0, Batch.ofSize(1)));
        api.push(new Append(lanes.getFirst(), 1, Batch.ofSize(1)));
        var moment = createdAt(lanes.getFirst(), 0);
        seekQueue("success", lanes.getFirst(), false, false, moment);

        api.push(new Append(lanes.get(1), 0, Batch.ofSize(3)));
        var inForce = api.subscribe(GROUP, lanes.getFirst().queue(), "", "", "new", null);
        lanes.forEach(lane -> api.openCursors(new Opening(lane.id(), GROUP, inForce.fromAt())));

        assertThat(inForce.mode()).isEqualTo("timestamp");
        assertThat(CursorRow.of(api, lanes.get(0), GROUP).committed()).isEqualTo(1);
        assertThat(CursorRow.of(api, lanes.get(1), GROUP).committed()).isZero();
    }

    @Test
    void aGroupThatComesByNamespaceBeginsWhereItWasSoughtToo() {
        var sought = database.newLaneWith(3, Map.of("namespace", "sought"));
        var other = database.newLaneWith(3, Map.of("namespace", "sought"));
        seekQueueOf("late", sought, false, true);

        api.subscribe("late", "", "sought", "", "new", null);
        api.openCursors(new Opening(sought.id(), "late", OffsetDateTime.now()));

        assertThat(CursorRow.of(api, sought, "late").committed()).isZero();
        assertThat(CursorRow.of(api, other, "late").committed()).isEqualTo(3);
    }

    @Test
    void anOperatorsChangeOfTheSubscriptionCountsForTheLanesThatComeLater() {
        var lane = laneOfNobody();
        seekQueue("success", lane, false, true, null);
        var moment = OffsetDateTime.parse("2100-01-01T00:00:00Z");

        api.operate("{rowsUpdated}", "change_subscription", "me", GROUP, moment);

        assertThat(api.subscribe(GROUP, lane.queue(), "", "", "all", null)).returns("timestamp",
                Api.Subscription::mode);
        assertThat(CursorRow.of(api, lane, GROUP).committed()).as("a cursor stays").isZero();
    }

    @Test
    void whoDeletesTheGroupForgetsWhereItWasSought() {
        var lane = laneOfNobody();
        seekQueue("success", lane, true, false, null);

        api.operate("{success}", "delete_group", "me", GROUP, lane.queue(), true);

        assertThat(api.subscribe(GROUP, lane.queue(), "", "", "all", null).mode()).isEqualTo("all");
        api.openCursors(new Opening(lane.id(), GROUP, null));
        assertThat(CursorRow.of(api, lane, GROUP).committed()).isZero();
    }

    @Test
    void oneLaneIsSoughtForAGroupThatHasNotComeYet() {
        var lanes = database.newLanes(2);
        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(4))));

        assertThat(seekLane(lanes.getFirst(), false, false, null, 1L)).isEqualTo("1");

        api.subscribe(GROUP, lanes.getFirst().queue(), "", "", "new", null);
        assertThat(CursorRow.of(api, lanes.get(0), GROUP).committed()).isEqualTo(1);
        assertThat(CursorRow.of(api, lanes.get(1), GROUP).committed()).as("as its first pop says").isEqualTo(4);
    }

    @Test
    void aQueueOrLaneThatIsNotThereIsMissing() {
        assertThat(api.operate("{success}", "seek_queue", "me", GROUP, "no-such-queue", true, false, null)).isNull();
        assertThat(api.operate("{success}", "seek_lane", "me", GROUP, laneOfNobody().queue(), "nowhere", true, false,
                null, null)).isNull();
    }

    @Test
    void nowhereOrTwoPlacesAtOnceIsRefused() {
        var lane = lane(1);

        assertThatThrownBy(() -> seekQueue("success", lane, false, false, null)).extracting("state").isEqualTo("QN400");
        assertThatThrownBy(() -> seekQueue("success", lane, true, true, null)).extracting("state").isEqualTo("QN400");
        assertThatThrownBy(() -> seekLane(lane, true, false, null, 0L)).extracting("state").isEqualTo("QN400");
    }

    @Test
    void everySeekIsOnRecordAndTellsTheServers() {
        var lane = lane(5);
        seekLane(lane, false, false, null, 2L);
        seekQueue("success", lane, true, false, null);

        assertThat(Rows.strings(api.connection(),
                "select actor || ' ' || action || ' ' || (after ->> 'offset') from queen.audit where target like ?",
                "%" + lane.name() + " of queue " + lane.queue())).containsExactly("me seek 2");
        assertThat(Rows.strings(api.connection(), "select after ->> 'toEnd' from queen.audit where target = ?",
                "group " + GROUP + " on queue " + lane.queue())).containsExactly("true");
        assertThat(Rows.number(api.connection(), "select revision from queen.queue where id = ?", lane.queueId()))
                .isEqualTo(1);
        assertThat(Rows.number(api.connection(),
                "select count(*) from queen.revised_lane r, queen.catalog c where r.partition_id = ? and r.version <= c.version",
                lane.id())).isEqualTo(1);
    }

    private Lane laneOfNobody() {
        var lane = database.newLane();
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        return lane;
    }

    private void seekQueueOf(String group, Lane lane, boolean toEnd, boolean toBeginning) {
        api.operate("{success}", "seek_queue", "me", group, lane.queue(), toEnd, toBeginning, null);
    }

    private Lane lane(int messages) {
        return lane(messages, Map.of("retry_delay_ms", 0));
    }

    private Lane lane(int messages, Map<String, Object> options) {
        var lane = database.newLaneWith(messages, options);
        api.subscribe(GROUP, lane.queue(), "", "", "all", null);
        return lane;
    }

    private void assertTotals(Lane lane, long completed, long skipped) {
        var cursor = CursorRow.of(api, lane, GROUP);
        assertThat(cursor.completed()).isEqualTo(completed);
        assertThat(Rows.number(api.connection(), "select skipped_count from queen.cursor where partition_id = ?",
                lane.id()))
                .isEqualTo(skipped);
        assertThat(cursor.completed() + cursor.dead() + skipped).isEqualTo(cursor.committed());
    }

    private String seekLane(Lane lane, boolean toEnd, boolean toBeginning, OffsetDateTime after, Long offset) {
        return api.operate("{cursorMovedTo}", "seek_lane", "me", GROUP, lane.queue(), lane.name(), toEnd, toBeginning,
                after,
                offset);
    }

    private String seekQueue(String field, Lane lane, boolean toEnd, boolean toBeginning, OffsetDateTime after) {
        return api.operate("{" + field + "}", "seek_queue", "me", GROUP, lane.queue(), toEnd, toBeginning, after);
    }

    private OffsetDateTime createdAt(Lane lane, long base) {
        return api.list(rows -> rows.getObject(1, OffsetDateTime.class),
                "select created_at from queen.segment where partition_id = ? and base = ?", lane.id(), base).getFirst();
    }
}
