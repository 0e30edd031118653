package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that wait too long leave the way of those who did not read them (W16). */
class EvictionTest {
    private static final String GROUP = "workers";
    private static final Map<String, Object> DROPPING = Map.of("max_wait_time_s", 100, "retry_delay_ms", 0);
    private static final Map<String, Object> BURYING = Map.of("max_wait_time_s", 100, "dead_letter_queue", true,
            "retry_delay_ms", 0);

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);

    @Test
    void unreadMessagesAreDroppedWithoutADeadLetterQueue() {
        var lane = database.newLaneWith(3, DROPPING);
        upkeep.age(lane, 101);
        api.push(new Append(lane, 3, Batch.ofSize(2)));

        assertThat(evicted(lane)).isEqualTo(3);

        assertThat(CursorRow.of(api, lane, GROUP)).returns(3L, CursorRow::committed).returns(3L, CursorRow::expired)
                .returns(0L, CursorRow::dead).returns(0L, CursorRow::completed);
        assertThat(DeadLetter.of(api, lane)).isEmpty();
        assertThat(api.lease(Wish.of(lane, GROUP, 9)).getFirst()).returns(3L, Given::first);
        assertThat(upkeep.minutes(lane)).containsExactly("0/0/3");
    }

    @Test
    void unreadMessagesAreBuriedWithTheReasonWhereThereIsADeadLetterQueue() {
        var lane = database.newLaneWith(2, BURYING);
        upkeep.age(lane, 101);

        assertThat(evicted(lane)).isEqualTo(2);

        assertThat(DeadLetter.of(api, lane)).containsExactly(
                new DeadLetter(GROUP, 0, Batch.line("m0"), "expired: nobody finished it within 100 seconds", 0),
                new DeadLetter(GROUP, 1, Batch.line("m1"), "expired: nobody finished it within 100 seconds", 0));
        assertThat(CursorRow.of(api, lane, GROUP)).returns(2L, CursorRow::committed).returns(2L, CursorRow::dead)
                .returns(0L, CursorRow::expired).returns(0L, CursorRow::completed);
    }

    /** W16: what is leased is not taken away from its holder. */
    @Test
    void whatIsUnderALiveLeaseStaysUntilTheLeaseEnds() {
        var lane = database.newLaneWith(3, BURYING);
        var wish = Wish.of(lane, GROUP, 2);
        api.lease(wish);
        upkeep.age(lane, 101);

        assertThat(evicted(lane)).isZero();
        assertThat(upkeep.dueIn(lane, "eviction")).isBetween(10L, 60L);
        assertThat(api.ack(Holder.of(wish, "{[0,2)}")).getFirst().isLive()).isTrue();
        upkeep.age(lane, 60);

        assertThat(evicted(lane)).isEqualTo(1);
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactly(2L);
    }

    @Test
    void whatWasFinishedAheadIsNotBuriedAndAttemptsAreTold() {
        var lane = database.newLaneWith(3, BURYING);
        var wish = Wish.of(lane, GROUP, 3);
        api.lease(wish);
        api.nack(List.of(Holder.of(wish, "{[1,2)}")), Failed.of(0));
        upkeep.age(lane, 101);

        assertThat(evicted(lane)).isEqualTo(2);

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactly(0L, 2L);
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::attempts).containsExactly(1, 0);
        assertThat(CursorRow.of(api, lane, GROUP)).returns(3L, CursorRow::committed).returns(1L, CursorRow::completed)
                .returns(2L, CursorRow::dead).returns(false, CursorRow::isFailing);
    }

    @Test
    void groupsThatReadInTimeKeepWhatTheyHave() {
        var lane = database.newLaneWith(2, DROPPING);
        api.openCursors(new Opening(lane.id(), "quick", null));
        var wish = Wish.of(lane, "quick", 2);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0,2)}"));
        upkeep.age(lane, 101);

        assertThat(evicted(lane)).isEqualTo(2);

        assertThat(CursorRow.of(api, lane, "quick")).returns(2L, CursorRow::completed).returns(0L, CursorRow::expired);
        assertThat(upkeep.kept(lane)).as("what to store is for retention to say").containsExactly(0L);
    }

    @Test
    void groupsThatDidNotComeToTheLaneYetHaveNotReadIt() {
        var lane = database.newLane(BURYING);
        api.subscribe("subscribed", lane.queue(), "", "", "all", null);
        api.push(new Append(lane, 0, Batch.ofSize(1)));
        upkeep.age(lane, 101);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '1000 s'"
                + " where group_name = 'subscribed'");

        assertThat(evicted(lane)).isEqualTo(1);

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::group).containsExactly("subscribed");
    }

    @Test
    void whatWasTooOldWhenAGroupSubscribedIsNotItsConcern() {
        var lane = database.newLaneWith(1, BURYING);
        upkeep.age(lane, 300);
        upkeep.evict();

        api.subscribe("late", lane.queue(), "", "", "all", null);
        api.push(new Append(lane, 1, Batch.ofSize(1)));
        upkeep.age(lane, 101);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '101 s'"
                + " where group_name = 'late'");
        upkeep.evict();

        assertThat(DeadLetter.of(api, lane)).filteredOn(letter -> letter.group().equals("late"))
                .extracting(DeadLetter::offset).containsExactly(1L);
    }

    @Test
    void aGroupThatComesLaterBeginsWithWhatIsNotTooOld() {
        var lane = database.newLaneWith(2, BURYING);
        upkeep.age(lane, 101);
        api.push(new Append(lane, 2, Batch.ofSize(1)));
        api.subscribe("later", lane.queue(), "", "", "all", null);

        api.openCursors(new Opening(lane.id(), "later", null));

        assertThat(CursorRow.of(api, lane, "later").committed()).isEqualTo(2);
    }

    @Test
    void aGroupThatSubscribedInTimeBeginsWithWhatIsTooOldNow() {
        var lane = database.newLaneWith(2, BURYING);
        api.subscribe("slow", lane.queue(), "", "", "all", null);
        api.execute("update queen.subscription set subscribed_at = subscribed_at - interval '50 s'"
                + " where group_name = 'slow'");
        upkeep.age(lane, 101);

        api.openCursors(new Opening(lane.id(), "slow", null));

        assertThat(CursorRow.of(api, lane, "slow").committed()).isZero();
    }

    /** Where nothing expires any more, upkeep must not place a cursor past anything. */
    @Test
    void expirySwitchedOffLeavesEverythingToGroupsThatCome() {
        var lane = database.newLane(DROPPING);
        api.push(new Append(lane, 0, Batch.ofSize(2)));
        upkeep.schedule("eviction");
        upkeep.age(lane, 1000);
        api.subscribe("slow", lane.queue(), "", "", "all", null);
        api.configure(lane.queue(), Map.of("max_wait_time_s", 0));

        assertThat(evicted(lane)).isZero();
        api.openCursors(new Opening(lane.id(), "slow", null));

        assertThat(CursorRow.of(api, lane, "slow").committed()).isZero();
        assertThat(upkeep.dueIn(lane, "eviction")).isNull();
    }

    @Test
    void whatNobodyReadsLeavesTheLog() {
        var lane = database.newLane(BURYING);
        api.push(new Append(lane, 0, Batch.ofSize(2)));
        api.push(new Append(lane, 2, Batch.ofSize(1)));
        upkeep.age(lane, 101);
        api.push(new Append(lane, 3, Batch.ofSize(1)));

        assertThat(evicted(lane)).isEqualTo(3);

        assertThat(upkeep.kept(lane)).containsExactly(3L);
        assertThat(DeadLetter.of(api, lane)).hasSize(3).allSatisfy(letter -> assertThat(letter.group())
                .isEqualTo("__QUEUE_MODE__"));
        assertThat(upkeep.minutes(lane)).containsExactly("0/0/3");
        assertThat(upkeep.dueIn(lane, "eviction")).isBetween(50L, 100L);
    }

    /** Every JavaScript client sends a ttl of 3600 with every configure, without being asked. */
    @ParameterizedTest
    @CsvSource({"3600,0,7200,0", "0,0,7200,0", "100,0,101,1", "100,0,50,0", "3600,100,101,1", "50,100,60,1",
        "100,50,60,1"})
    void ttlMeansTheSameUnlessItIsWhatClientsSendUnasked(int ttl, int maxWait, int age, int evicted) {
        var lane = database.newLaneWith(1, Map.of("ttl_s", ttl, "max_wait_time_s", maxWait));
        upkeep.age(lane, age);

        assertThat(evicted(lane)).isEqualTo(evicted);
    }

    @Test
    void manyMessagesAreEvictedStepByStep() {
        var lane = database.newLaneWith(2500, BURYING);
        upkeep.age(lane, 101);
        upkeep.schedule("eviction");

        assertThat(upkeep.applyEviction(10, 1000).evicted()).isEqualTo(1000);
        assertThat(evicted(lane)).isEqualTo(1500);
        assertThat(DeadLetter.of(api, lane)).hasSize(2500);
        assertThat(CursorRow.of(api, lane, GROUP).dead()).isEqualTo(2500);
    }

    /** A pop does not wait for the next pass: what is too old is evicted before the lane is leased. */
    @Test
    void evictionOfASingleLaneSaysWhetherThereIsMore() {
        var lane = database.newLaneWith(1500, DROPPING);
        var reader = new Reader(lane.id(), GROUP);
        assertThat(api.evict(reader)).isEmpty();
        assertThat(CursorRow.of(api, lane, GROUP).committed()).isZero();
        upkeep.age(lane, 101);

        assertThat(api.evict(reader)).containsExactly(1);
        assertThat(api.evict(reader)).isEmpty();

        assertThat(CursorRow.of(api, lane, GROUP)).returns(1500L, CursorRow::committed)
                .returns(1500L, CursorRow::expired);
        assertThat(upkeep.minutes(lane)).containsExactly("0/0/1500");
    }

    /** What a pass evicts of the lane's queue; other tests leave lanes behind, too. */
    private long evicted(Lane lane) {
        long before = onRecord(lane);
        upkeep.evict();
        return onRecord(lane) - before;
    }

    private long onRecord(Lane lane) {
        return Rows.number(api.connection(),
                "select coalesce(sum(eviction), 0) from queen.retention_minute where queue_id = ?",
                lane.queueId());
    }
}
