package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Question;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PauseLaneRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nothingIsLeasedWhileTheLaneIsPaused(boolean triesPlain) {
        var lane = database.newLaneWith(2);
        pause(lane, true);

        var session = api.tryingPlain(triesPlain);
        assertThat(session.lease(Wish.of(lane, GROUP, 1)).getFirst().status()).isEqualTo("waiting");
        assertThat(session.lease(true, Wish.of(lane, GROUP, 1)).getFirst().status()).isEqualTo("waiting");
        pause(lane, false);
        assertThat(session.lease(Wish.of(lane, GROUP, 1)).getFirst().isLeased()).isTrue();
    }

    @Test
    void aPausedLaneDoesNotLookReady() {
        var lane = database.newLaneWith(1);
        pause(lane, true);

        assertThat(api.hasPending(new Question(lane.queueId(), lane.id(), GROUP, 60),
                new Question(lane.queueId(), null, GROUP, 60))).isEmpty();
        assertThat(api.resolve(lane.queueId(), GROUP, null, "", 10)).noneMatch(Api.Resolved::isPending);
        assertThat(api.resolve(lane.queueId(), GROUP, 60, "", 10)).isEmpty();
    }

    @Test
    void whoHoldsTheLaneGoesOnAndPushesAreTaken() {
        var lane = database.newLaneWith(2);
        var held = Wish.of(lane, GROUP, 1);
        api.lease(held);
        pause(lane, true);

        assertThat(api.ack(Holder.of(held, "{[0,1)}")).getFirst().isLive()).isTrue();
        assertThat(api.push(new Append(lane, 2, Batch.ofSize(1)))).hasSize(1);
    }

    @Test
    void anUnknownLaneCannotBePaused() {
        assertThat(api.operate("{paused}", "pause_lane", "me", UUID.randomUUID(), true)).isNull();
    }

    @Test
    void itIsOnRecordWithWhatWasBefore() {
        var lane = database.newLaneWith(1);
        pause(lane, true);
        pause(lane, false);

        assertThat(Rows.strings(api.connection(),
                "select action || (before ->> 'paused') || (after ->> 'paused') from queen.audit where target = ? order by id",
                "lane " + lane.name() + " of queue " + lane.queue()))
                .containsExactly("pausefalsetrue", "resumetruefalse");
    }

    private void pause(Lane lane, boolean isPaused) {
        assertThat(api.operate("{paused}", "pause_lane", "me", lane.id(), isPaused)).isEqualTo("" + isPaused);
    }
}
