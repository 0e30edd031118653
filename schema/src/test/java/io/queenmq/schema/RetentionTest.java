package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What retention removes, and what it must never touch (W16). */
class RetentionTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);

    @Nested
    class ByAge {
        private final Lane lane = lane(Map.of("retention_enabled", true, "retention_s", 100));

        @Test
        void oldSegmentsGoWhetherReadOrNot() {
            push(lane, 3);
            upkeep.age(lane, 101);
            push(lane, 2);

            assertThat(upkeep.removed(lane)).isEqualTo("3/0");

            assertThat(upkeep.kept(lane)).containsExactly(3L);
            assertThat(upkeep.tail(lane)).isEqualTo(3);
            assertThat(CursorRow.of(api, lane, GROUP)).returns(3L, CursorRow::committed)
                    .returns(3L, CursorRow::expired).returns(0L, CursorRow::completed).returns(0L, CursorRow::dead);
            assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst()).returns(3L, Given::first).returns(5L, Given::end);
            assertThat(upkeep.minutes(lane)).containsExactly("3/0/0");
            assertThat(upkeep.dueIn(lane, "retention")).isBetween(60L, 100L);
        }

        @Test
        void nothingGoesBeforeItsTime() {
            push(lane, 3);
            upkeep.age(lane, 50);

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");
            assertThat(upkeep.kept(lane)).containsExactly(0L);
        }

        /** W16: what is leased stays until the lease ends, and its holder can finish it. */
        @Test
        void nothingUnderALiveLeaseGoes() {
            push(lane, 2);
            push(lane, 2);
            var wish = Wish.of(lane, GROUP, 3);
            api.lease(wish);
            api.ack(Holder.of(wish, "{[0,1)}"));
            upkeep.age(lane, 1000);

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");
            assertThat(upkeep.dueIn(lane, "retention")).as("looked at when the lease ends").isBetween(10L, 60L);

            assertThat(api.ack(Holder.of(wish, "{[0,3)}")).getFirst().isLive()).isTrue();
            upkeep.age(lane, 60);
            assertThat(upkeep.removed(lane)).isEqualTo("4/0");
            assertThat(CursorRow.of(api, lane, GROUP)).returns(3L, CursorRow::completed).returns(1L, CursorRow::expired)
                    .returns(4L, CursorRow::committed);
        }

        @Test
        void whatWasLeasedOnceAndRanOutGoes() {
            push(lane, 2);
            api.lease(Wish.of(lane, GROUP, 2));
            CursorRow.runOut(api, lane, GROUP);
            upkeep.age(lane, 101);

            assertThat(upkeep.removed(lane)).isEqualTo("2/0");
            assertThat(CursorRow.of(api, lane, GROUP)).returns(true, CursorRow::isFree).returns(2L, CursorRow::expired)
                    .returns(false, CursorRow::isFailing);
        }

        @Test
        void messagesFinishedAheadAreCountedOnce() {
            push(lane, 4);
            var wish = Wish.of(lane, GROUP, 4);
            api.lease(wish);
            api.ack(Holder.of(wish, "{[1,2),[3,4)}"));
            api.release(Holder.of(wish, "{}"));
            upkeep.age(lane, 101);

            upkeep.retain();

            assertThat(CursorRow.of(api, lane, GROUP)).returns(4L, CursorRow::committed)
                    .returns(2L, CursorRow::completed)
                    .returns(2L, CursorRow::expired).returns(null, CursorRow::acked);
        }

        @Test
        void lanesSomebodyWorksOnAreLeftForLater() {
            push(lane, 1);
            upkeep.age(lane, 101);
            var session = database.newSession();
            session.execute("begin");
            session.everywhere("select from cursor where partition_id = '" + lane.id() + "' for update");

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");
            session.execute("rollback");
            upkeep.age(lane, 2);

            assertThat(upkeep.removed(lane)).isEqualTo("1/0");
        }

        @Test
        void moreThanOneTransactionMayTakeGoesAllTheSame() {
            for (int i = 0; i < 250; i++) {
                api.push(new Append(lane, i, Batch.ofSize(1)));
            }
            upkeep.age(lane, 101);
            upkeep.schedule("retention");

            assertThat(upkeep.applyRetention(10, 50).retention()).isBetween(1L, 150L);
            assertThat(upkeep.kept(lane)).isNotEmpty();
            upkeep.retain();
            assertThat(upkeep.kept(lane)).isEmpty();
        }

        /** W17: a dead letter is a copy. */
        @Test
        void deadLettersSurviveRetention() {
            push(lane, 2);
            var wish = Wish.of(lane, GROUP, 2);
            api.lease(wish);
            api.nack(List.of(Holder.of(wish, "{}")), new Failed(1, 0, "dlq", "poison"));
            api.release(Holder.of(wish, "{}"));
            upkeep.age(lane, 101);

            upkeep.retain();

            assertThat(upkeep.kept(lane)).isEmpty();
            assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::line).containsExactly(Batch.line("m0"));
        }
    }

    @Nested
    class OfFinishedMessages {
        private final Lane lane = lane(Map.of("retention_enabled", true, "completed_retention_s", 100));

        @Test
        void onlyWhatEveryGroupHasFinishedGoes() {
            push(lane, 2);
            push(lane, 2);
            push(lane, 2);
            api.openCursors(new Opening(lane.id(), "slow", null));
            finish(lane, GROUP, 6);
            finish(lane, "slow", 3);
            upkeep.age(lane, 101);

            assertThat(upkeep.removed(lane)).isEqualTo("0/2");

            assertThat(upkeep.kept(lane)).containsExactly(2L, 4L);
            assertThat(upkeep.minutes(lane)).containsExactly("0/2/0");
            assertThat(CursorRow.of(api, lane, "slow")).returns(3L, CursorRow::committed).returns(0L,
                    CursorRow::expired);
        }

        /** W16: a group that is subscribed and has not come to the lane yet has not finished it. */
        @Test
        void groupsThatHaveNotTouchedTheLaneYetCount() {
            push(lane, 2);
            finish(lane, GROUP, 2);
            api.subscribe("late", lane.queue(), "", "", "all", null);
            upkeep.age(lane, 101);

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");

            api.openCursors(new Opening(lane.id(), "late", null));
            finish(lane, "late", 2);
            upkeep.age(lane, 100);
            assertThat(upkeep.removed(lane)).isEqualTo("0/2");
        }

        @Test
        void groupsOfTheQueuesNamespaceCount() {
            api.configure(lane.queue(), Map.of("namespace", "shop-" + lane.queue()));
            api.subscribe("late-" + lane.queue(), "", "shop-" + lane.queue(), "", "all", null);
            push(lane, 2);
            finish(lane, GROUP, 2);
            upkeep.age(lane, 101);

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");
        }

        @Test
        void whoeverReadsAnotherLaneWithoutAGroupCounts() {
            var other = database.lane(lane.queueId(), lane.queue(), "other");
            api.catchUp(0, 0, Api.CatchUp.of(other, 0));
            api.openCursors(new Opening(other.id(), "__QUEUE_MODE__", null));
            push(lane, 2);
            finish(lane, GROUP, 2);
            upkeep.age(lane, 101);

            assertThat(upkeep.removed(lane)).isEqualTo("0/0");
        }

        @Test
        void whoeverReadsFromAMomentOnDoesNotHoldWhatIsOlder() {
            push(lane, 2);
            finish(lane, GROUP, 2);
            upkeep.age(lane, 1000);
            push(lane, 2);
            finish(lane, GROUP, 2);
            upkeep.age(lane, 1000);
            api.subscribe("late", lane.queue(), "", "", "timestamp", OffsetDateTime.now().minusSeconds(1500));

            assertThat(upkeep.removed(lane)).isEqualTo("0/2");
            assertThat(upkeep.kept(lane)).containsExactly(2L);
        }

        @Test
        void whatNobodyReadsIsNotFinished() {
            var unread = database.newLane(Map.of("retention_enabled", true, "completed_retention_s", 100));
            api.push(new Append(unread, 0, Batch.ofSize(1)));
            upkeep.age(unread, 101);

            assertThat(upkeep.removed(unread)).isEqualTo("0/0");
        }

        /** Work goes with what can be removed: a lane that waits for a slow group is looked at less and less often. */
        @Test
        void aLaneThatWaitsForASlowGroupIsLookedAtSeldom() {
            push(lane, 2);
            upkeep.age(lane, 101);
            upkeep.retain();
            assertThat(upkeep.dueIn(lane, "retention")).isBetween(20L, 60L);

            upkeep.age(lane, 1900);
            upkeep.retain();

            assertThat(upkeep.dueIn(lane, "retention")).isBetween(1850L, 1960L);
        }
    }

    @Test
    void withoutTheSwitchNothingGoes() {
        var lane = lane(Map.of("retention_enabled", false, "retention_s", 100, "completed_retention_s", 100));
        push(lane, 2);
        upkeep.age(lane, 1000);

        assertThat(upkeep.removed(lane)).isEqualTo("0/0");
        assertThat(upkeep.dueIn(lane, "retention")).isNull();
    }

    @Test
    void anotherRetentionCountsForLanesThatWereThereBefore() {
        var lane = lane(Map.of("retention_enabled", true, "retention_s", 10_000));
        push(lane, 2);
        upkeep.age(lane, 500);
        upkeep.retain();
        assertThat(upkeep.dueIn(lane, "retention")).isBetween(9_400L, 9_500L);

        api.configure(lane.queue(), Map.of("retention_s", 600));
        upkeep.retain();
        assertThat(upkeep.dueIn(lane, "retention")).isBetween(40L, 100L);

        api.configure(lane.queue(), Map.of("retention_s", 60));
        assertThat(upkeep.removed(lane)).isEqualTo("2/0");
    }

    @Test
    void retentionSwitchedOffAndOnAgainFindsItsLanes() {
        var lane = lane(Map.of("retention_enabled", true, "retention_s", 100));
        push(lane, 2);
        upkeep.retain();
        api.configure(lane.queue(), Map.of("retention_enabled", false));
        upkeep.age(lane, 1000);
        assertThat(upkeep.removed(lane)).isEqualTo("0/0");
        assertThat(upkeep.dueIn(lane, "retention")).isNull();

        api.configure(lane.queue(), Map.of("retention_enabled", true));

        assertThat(upkeep.removed(lane)).isEqualTo("2/0");
    }

    @Test
    void lanesPushedToLaterAreFound() {
        var lanes = database.newLanes(3, Map.of("retention_enabled", true, "retention_s", 100));
        upkeep.retain();

        lanes.forEach(lane -> api.push(new Append(lane, 0, Batch.ofSize(1))));
        upkeep.retain();
        lanes.forEach(lane -> upkeep.age(lane, 101));

        assertThat(upkeep.removed(lanes.getFirst())).isEqualTo("3/0");
    }

    /** Who deletes a queue waits for its lanes, so upkeep, which holds some, must not wait for the queue. */
    @Test
    void aQueueThatIsBeingDeletedDoesNotHoldUpUpkeep() {
        var lane = lane(Map.of("retention_enabled", true, "retention_s", 100, "max_wait_time_s", 100));
        push(lane, 2);
        upkeep.age(lane, 101);
        upkeep.schedule("eviction");
        upkeep.schedule("retention");
        var deleting = database.newSession();
        deleting.execute("begin");
        deleting.execute("select from queen.queue where id = '" + lane.queueId() + "' for update");

        var evicted = Step.start(database.newSession(), session -> new Upkeep(session).applyEviction(100, 1000));
        assertThat(evicted.result().evicted()).isPositive();
        var retained = Step.start(database.newSession(), session -> new Upkeep(session).applyRetention(100, 1000));
        assertThat(retained.result().completedRetention() + retained.result().retention()).isPositive();

        deleting.execute("rollback");
        assertThat(upkeep.kept(lane)).isEmpty();
    }

    @Test
    void aDeletedQueueLeavesNothingBehind() {
        var lane = lane(Map.of("retention_enabled", true, "retention_s", 100, "max_size", 10));
        push(lane, 1);
        upkeep.age(lane, 101);
        upkeep.retain();

        api.deleteQueue(lane.queue());

        for (var table : List.of("lane_upkeep", "queue_upkeep", "queue_size", "retention_minute")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " where queue_id = ?",
                    lane.queueId())).as(table).isZero();
        }
    }

    private Lane lane(Map<String, Object> options) {
        var lane = database.newLane(options);
        api.openCursors(new Opening(lane.id(), GROUP, null));
        return lane;
    }

    private void push(Lane lane, int messages) {
        long head = Rows.number(api.connection(), "select head from queen.partition where id = ?", lane.id());
        assertThat(api.push(new Append(lane, head, Batch.ofSize(messages)))).hasSize(1);
    }

    private void finish(Lane lane, String group, int messages) {
        var wish = Wish.of(lane, group, messages);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0," + messages + ")}"));
        api.release(Holder.of(wish, "{}"));
    }
}
