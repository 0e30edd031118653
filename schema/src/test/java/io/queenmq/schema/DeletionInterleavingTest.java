package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Opening;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What other sessions see and do while a queue is being deleted. */
@Timeout(300)
class DeletionInterleavingTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Api first = database.newSession();
    private final Api second = database.newSession();
    private final Lane lane = database.newLaneWith(1);

    {
        first.execute("begin");
        first.deleteQueue(lane.queue());
    }

    @Test
    void noLaneIsAddedToIt() {
        var lane = database.lane(this.lane.queueId(), this.lane.queue(), "one more");
        assertThat(second.catchUp(1, 1, CatchUp.of(lane, -1))).extracting(CaughtUp::head).containsOnlyNulls();
        first.execute("commit");

        assertThat(second.catchUp(1, 1, CatchUp.of(lane, -1))).isEmpty();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", lane.id()))
                .isZero();
    }

    @Test
    void laneIsAddedWhenTheDeletionIsRolledBack() {
        var lane = database.lane(this.lane.queueId(), this.lane.queue(), "one more");
        assertThat(second.catchUp(1, 1, CatchUp.of(lane, -1))).extracting(CaughtUp::head).containsOnlyNulls();
        first.execute("rollback");

        assertThat(second.catchUp(1, 1, CatchUp.of(lane, -1))).extracting(CaughtUp::head).containsExactly(0L);
    }

    @Test
    void noCursorIsLeftBehind() {
        assertThat(second.openCursors(new Opening(lane.id(), "late", null))).isEmpty();
        var third = database.newSession();
        var subscription = Step.start(third, session -> session.subscribe("newcomers", lane.queue(), "", "", "new",
                null)).untilItWaits(api);
        first.execute("commit");

        assertThat(subscription.result().mode()).isEqualTo("new");
        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where partition_id = ?",
                lane.id())).isZero();
    }

    @Test
    void configureMakesANewOneAfterwards() {
        var step = Step.start(second, session -> session.configure(lane.queue(), Map.of())).untilItWaits(api);
        first.execute("commit");

        assertThat(step.result().id()).isNotEqualTo(lane.queueId());
    }

    @Test
    void pushPassesItsLanesOver() {
        assertThat(second.push(new Append(lane, 1, Batch.of("late")))).isEmpty();
    }
}
