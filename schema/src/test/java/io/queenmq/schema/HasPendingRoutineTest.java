package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Question;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HasPendingRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void nothingAskedGivesNoRow() {
        assertThat(api.hasPending()).isEmpty();
    }

    @Test
    void laneWithUnreadMessagesIsPending() {
        var lane = database.newLaneWith(1);

        assertThat(isPending(lane)).isTrue();
        assertThat(isQueuePending(lane)).isTrue();
    }

    @Test
    void emptyLaneIsNotPending() {
        var lane = database.newLane();

        assertThat(isPending(lane)).isFalse();
        assertThat(isQueuePending(lane)).isFalse();
    }

    @Test
    void finishedLaneIsNotPending() {
        var lane = database.newLaneWith(1);
        api.lease(true, Wish.of(lane, GROUP, 1));

        assertThat(isPending(lane)).isFalse();
        assertThat(isQueuePending(lane)).isFalse();
    }

    @Test
    void heldLaneIsNotPendingUntilItsLeaseRunsOut() {
        var lane = database.newLaneWith(1);
        api.lease(Wish.of(lane, GROUP, 1));
        assertThat(isPending(lane)).isFalse();
        assertThat(isQueuePending(lane)).isFalse();

        CursorRow.runOut(api, lane, GROUP);

        assertThat(isPending(lane)).isTrue();
        assertThat(isQueuePending(lane)).isTrue();
    }

    @Test
    void laneThatWaitsForARetryIsNotPending() {
        var lane = database.newLaneWith(1, Map.of("retry_delay_ms", 60_000));
        var wish = Wish.of(lane, GROUP, 1);
        api.lease(wish);
        api.nack(List.of(Holder.of(wish, "{}")), Api.Failed.of(0));

        assertThat(isPending(lane)).isFalse();
        assertThat(isQueuePending(lane)).isFalse();
    }

    @Test
    void queueIsJudgedByLanesPushedToSinceTheMoment() {
        var lane = database.newLaneWith(1);
        api.everywhere("update partition set active_at = now() - interval '1 hour' where id = '"
                + lane.id() + "'");

        assertThat(isQueuePending(lane)).isFalse();
        assertThat(isPending(lane)).isTrue();
    }

    @Test
    void queueIsPendingThoughActivityIsNotedInSteps() {
        var lane = database.newLaneWith(1);
        api.lease(true, Wish.of(lane, GROUP, 1));
        api.everywhere("update partition set active_at = now() - interval '8 s' where id = '"
                + lane.id() + "'");

        api.push(new Append(lane, 1, Batch.of("b")));

        assertThat(isQueuePending(lane, 5)).isTrue();
    }

    @Test
    void questionsAreAnsweredByPosition() {
        var full = database.newLaneWith(1);
        var empty = database.newLane();

        assertThat(api.hasPending(
                new Question(empty.queueId(), empty.id(), GROUP, 60),
                new Question(full.queueId(), null, GROUP, 60),
                new Question(UUID.randomUUID(), UUID.randomUUID(), GROUP, 60),
                new Question(full.queueId(), full.id(), "strangers", 60))).containsExactly(2, 4);
    }

    private boolean isPending(Lane lane) {
        return !api.hasPending(new Question(lane.queueId(), lane.id(), GROUP, null)).isEmpty();
    }

    private boolean isQueuePending(Lane lane) {
        return isQueuePending(lane, 60);
    }

    private boolean isQueuePending(Lane lane, int lookBackS) {
        return !api.hasPending(new Question(lane.queueId(), null, GROUP, lookBackS)).isEmpty();
    }
}
