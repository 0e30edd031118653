package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The last attempt before the dead letters, which is made alone. */
class LastAttemptTest extends AttemptsPlay {
    @Test
    void nothingElseIsUnderTheLease() {
        var lanes = database.newLanesTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(lanes, 2);
        failAll(lease(lanes.get(0)));

        var lease = lanes.get(0).newLeaseId();
        var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "spared");
        assertThat(given.getFirst()).returns(1L, Given::end).returns(true, Given::isAlone);
    }

    @Test
    void itDoesNotJoinWhatWasGivenBefore() {
        var lanes = database.newLanesTogether(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(lanes, 2);
        failAll(lease(lanes.get(1)));

        var lease = lanes.get(0).newLeaseId();
        var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "leased");
        assertThat(given).extracting(Given::isAlone).containsOnly(false);
    }

    @Test
    void itDoesNotJoinWhatAnEarlierCallGave() {
        var lanes = database.newLanesTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(lanes, 2);
        failAll(lease(lanes.get(1)));
        var lease = lanes.get(0).newLeaseId();
        api.lease(Wish.of(lanes.get(0), GROUP, 10).as(lease));

        assertThat(api.lease(Wish.of(lanes.get(1), GROUP, 10).as(lease)).getFirst().status()).isEqualTo("spared");
    }

    @Test
    void itKeepsNoOtherLaneBackWhileItCannotBeGiven() {
        var lanes = database.newLanesTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(lanes, 2);
        failAll(lease(lanes.get(0)));
        api.operate("{}", "pause_lane", "me", lanes.get(0).id(), true);

        var lease = lanes.get(0).newLeaseId();
        var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

        assertThat(given).extracting(Given::status).containsExactly("waiting", "leased");
    }

    @Test
    void callThatIsRepeatedAddsNothingToIt() {
        var lanes = database.newLanesTogether(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
        open(lanes, 2);
        failAll(lease(lanes.get(0)));
        var lease = lanes.get(0).newLeaseId();
        var wishes = lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new);
        var once = api.lease(wishes);

        assertThat(api.lease(wishes)).extracting(Given::status, Given::isAlone)
                .isEqualTo(once.stream().map(given -> tuple(given.status(), given.isAlone())).toList());
    }

    @Test
    void onlySomeOfABatchComeAloneAndTheOthersInBatches() {
        var lane = lane(10, 2);
        for (int delivery = 0; delivery < 2; delivery++) {
            var next = lease(lane);
            api.nack(List.of(Holder.of(next.wish(), "{}")), Failed.of(3), Failed.of(4));
        }

        var sizes = new ArrayList<Integer>();
        for (var next = lease(lane); next != null; next = lease(lane)) {
            sizes.add(next.offsets().size());
            finish(next);
        }

        assertThat(sizes).containsExactly(3, 1, 1, 5);
    }

    @Test
    void whatIsFinishedWhenItIsGivenNeedNotComeAlone() {
        var lane = lane(5, 1);
        failAll(lease(lane));

        assertThat(api.lease(true, Wish.of(lane, GROUP, BATCH)).getFirst()).returns(5L, Given::end)
                .returns(false, Given::isAlone);
        assertEnds(lane, 5, List.of());
    }

    @Test
    void raisedRetryLimitBringsBatchesBack() {
        var lane = lane(5, 1);
        failAll(lease(lane));
        assertThat(lease(lane).offsets()).hasSize(1);
        release(lane);

        api.configure(lane.queue(), Map.of("retry_limit", 5));

        assertThat(lease(lane).offsets()).hasSize(5);
    }

    @Test
    void loweredRetryLimitKillsNobodyWhoWasNotAlone() {
        var lane = lane(5, 5);
        failAll(lease(lane));
        lease(lane);
        api.configure(lane.queue(), Map.of("retry_limit", 0));

        runOut(lane);

        assertThat(DeadLetter.of(api, lane)).isEmpty();
        assertThat(lease(lane).offsets()).containsExactly(0L);
    }
}
