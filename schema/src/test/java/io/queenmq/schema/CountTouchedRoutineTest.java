package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** count_touched: what was written down is counted, no less and no more. */
class CountTouchedRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Lane lane = database.newLane();
    private final Counting counting = new Counting(api);

    @BeforeEach
    void countWhatIsThere() {
        counting.count();
    }

    @Test
    void aLaneIsCountedWhenSomebodySaysThatItWasTouched() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        counting.count();
        assertThat(total()).isZero();

        counting.touch(lane.id());
        counting.count();

        assertThat(total()).isEqualTo(3);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.touched_lanes")).isZero();
    }

    @Test
    void aQueueThatIsNamedHasAllItsLanesCounted() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        api.everywhere("select " + api.schema() + ".touch_lanes('{}', array['" + lane.queue() + "', 'no such queue'])");
        counting.count();

        assertThat(total()).isEqualTo(3);
    }

    @Test
    void whatIsWrittenDownWhileSomebodyCountsIsCountedTheNextTime() {
        var other = database.newSession();
        other.execute("begin");
        assertThat(new Counting(other).turn()).isEqualTo("done");

        api.push(new Append(lane, 0, Batch.ofSize(3)));
        counting.touch(lane.id());
        assertThat(counting.turn()).isEqualTo("busy");
        other.execute("commit");
        assertThat(total()).isZero();

        counting.count();
        assertThat(total()).isEqualTo(3);
    }

    @Test
    void aCountThatFailsLeavesEverythingToTheNext() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        counting.touch(lane.id());
        var other = database.newSession();
        other.execute("begin");
        assertThat(new Counting(other).turn()).isEqualTo("done");
        other.execute("rollback");

        counting.count();

        assertThat(total()).isEqualTo(3);
    }

    @Test
    void whatWasTouchedAndIsGoneIsNoTrouble() {
        counting.touch(lane.id());
        api.deleteQueue(lane.queue());
        counting.count();

        assertThat(Rows.number(api.connection(), "select count(*) from queen.lane_depth where queue_id = ?",
                lane.queueId()))
                .isZero();
    }

    @Test
    void sumsOfAMomentAgoAreNotCountedAgain() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        counting.touch(lane.id());

        assertThat(api.everyShard(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(3600000)"))
                .containsOnly("done");

        assertThat(total()).isZero();
    }

    @Test
    void aSubscribedGroupOwesLanesItHasNotComeTo() {
        api.subscribe(GROUP, lane.queue(), "", "", "all", null);
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        counting.touch(lane.id());
        counting.count();

        assertThat(groups()).containsExactly("workers: 2 lanes, 1 lagging, 3 pending");
    }

    @Test
    void aDeletedGroupIsGoneAtOnceAndOneOfItsNameBeginsAtNothing() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        api.openCursors(new Opening(lane.id(), GROUP, null));
        counting.touch(lane.id());
        counting.count();
        assertThat(groups()).containsExactly("workers: 1 lanes, 1 lagging, 3 pending");

        api.operate("{}", "delete_group", "me", GROUP, lane.queue(), true);
        assertThat(groups()).isEmpty();
        api.openCursors(new Opening(lane.id(), GROUP, null));
        counting.touch(lane.id());
        counting.count();

        assertThat(groups()).containsExactly("workers: 1 lanes, 1 lagging, 3 pending");
    }

    @Test
    void aLeaseThatRunsOutIsNoticedThoughNobodyTouchesTheLane() {
        api.push(new Append(lane, 0, Batch.ofSize(3)));
        api.openCursors(new Opening(lane.id(), GROUP, null));
        var wish = Wish.of(lane, GROUP, 2).forSeconds(1);
        api.lease(wish);
        counting.touch(lane.id());
        counting.count();
        long leased = processing();

        api.execute("select pg_sleep(1.1)");
        counting.count();

        assertThat(leased).isEqualTo(2);
        assertThat(processing()).isZero();
        assertThat(api.ack(Holder.of(wish, "{[0,1)}")).getFirst().isLive()).isFalse();
    }

    @Test
    void manyRowsOfTheSameLanesAreOneTurn() {
        for (int i = 0; i < 50; i++) {
            counting.touch(lane.id());
        }

        assertThat(counting.turn()).isEqualTo("done");
    }

    private long total() {
        return Rows.number(api.connection(), "select total from queen.queue_depth where queue_id = ?", lane.queueId());
    }

    private long processing() {
        return Rows.number(api.connection(), "select processing from queen.queue_depth where queue_id = ?",
                lane.queueId());
    }

    private List<String> groups() {
        return Rows.strings(api.connection(), """
                select format('%s: %s lanes, %s lagging, %s pending', group_name, partitions, lagging, pending)
                from queen.group_depth where queue_id = ? order by 1""", lane.queueId());
    }
}
