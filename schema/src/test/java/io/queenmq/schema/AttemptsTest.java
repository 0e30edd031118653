package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Transaction;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a delivery that finished nothing costs, and whom: batches as usual until the last attempt, which is made alone. */
class AttemptsTest extends AttemptsPlay {
    @Nested
    class OfABatchOfAHundredWithThreeRetries {
        private final Lane lane = lane(BATCH, 3);

        @Test
        void comesBackAsAWholeWhenItFailsAsAWhole() {
            for (int delivery = 0; delivery < 2; delivery++) {
                failAll(whole(lane, BATCH));
            }

            finish(whole(lane, BATCH));

            assertEnds(lane, BATCH, List.of());
            assertThat(failures(lane)).isEmpty();
        }

        @Test
        void isKeptAsOneRunOfFailures() {
            failAll(whole(lane, BATCH));
            failAll(whole(lane, BATCH));

            assertThat(failures(lane)).containsExactly("0+100: 2");
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 50, 98, 99})
        void onlyThePoisonDiesWhenTheConsumerFailsTheWholeBatch(long poison) {
            int failed = 0;
            for (var next = lease(lane); next != null; next = lease(lane)) {
                if (next.has(poison)) {
                    failAll(next);
                    failed++;
                } else {
                    finish(next);
                }
            }

            assertThat(failed).isEqualTo(4);
            assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(poison, 4));
            assertEnds(lane, BATCH, List.of(poison));
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 50, 98, 99})
        void onlyThePoisonDiesWhenItTakesTheConsumerDown(long poison) {
            assertThat(crashesUntilDone(lane, poison)).isEqualTo(4);

            assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(poison, 4));
            assertEnds(lane, BATCH, List.of(poison));
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 50, 99})
        void onlyTheOneThatIsFailedByNameComesBack(long failed) {
            var first = whole(lane, BATCH);
            api.nack(
                    List.of(new Holder(lane.id(), GROUP, first.wish().lease(),
                            "{[0," + failed + "),[" + (failed + 1) + ",100)}")),
                    Failed.of(failed));

            var again = lease(lane);

            assertThat(again.offsets()).containsExactly(failed);
            finish(again);
            assertThat(lease(lane)).isNull();
            assertEnds(lane, BATCH, List.of());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "2, 3", "3, 4", "7, 8"})
    void numberOfCrashesFollowsFromTheRetryLimitAlone(int retryLimit, int crashes) {
        for (long poison : new long[]{0, 7, 19}) {
            var lane = lane(20, retryLimit);

            assertThat(crashesUntilDone(lane, poison)).as("poison at %d", poison).isEqualTo(crashes);

            assertEnds(lane, 20, List.of(poison));
        }
    }

    @Test
    void poisonThatComesAfterItsBatchWasPartlyAckedIsTheOnlyOneThatDies() {
        var lane = lane(10, 2);
        int crashes = 0;
        for (var next = lease(lane); next != null; next = lease(lane)) {
            for (long offset : next.offsets()) {
                if (offset == 6) {
                    runOut(lane);
                    crashes++;
                    break;
                }
                ack(next, offset);
            }
        }

        assertThat(crashes).isEqualTo(3);
        assertEnds(lane, 10, List.of(6L));
    }

    @Nested
    class WithoutRetries {
        private final Lane lane = lane(5, 0);

        @Test
        void everyMessageThatIsFailedByNameDies() {
            failAll(whole(lane, 5));

            assertEnds(lane, 5, List.of(0L, 1L, 2L, 3L, 4L));
        }

        @Test
        void leaseOfSeveralThatRanOutIsFollowedByDeliveriesOneAtATime() {
            whole(lane, 5);
            runOut(lane);

            for (long offset = 0; offset < 5; offset++) {
                var alone = lease(lane);
                assertThat(alone.offsets()).containsExactly(offset);
                assertThat(alone.given().isAlone()).isTrue();
                finish(alone);
            }
            assertEnds(lane, 5, List.of());
        }

        @Test
        void leaseOfOneThatRanOutBuriesIt() {
            api.lease(Wish.of(lane, GROUP, 1));
            runOut(lane);

            assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(0L, 1));
        }

        @Test
        void onlyMessageOfALaneDiesAtOnceWhenItsConsumerAskedForOneLane() {
            var single = lane(1, 0);
            api.lease(Wish.of(single, GROUP, BATCH).withLaneLimit(1));

            runOut(single);

            assertEnds(single, 1, List.of(0L));
        }

        @Test
        void messagesOfTwoLanesUnderOneLeaseAreBothTriedAlone() {
            var lanes = database.newLanes(2, Map.of("retry_limit", 0, "retry_delay_ms", 0));
            var lease = open(lanes, 1);
            api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

            lanes.forEach(AttemptsTest.this::runOut);

            for (var each : lanes) {
                assertThat(DeadLetter.of(api, each)).isEmpty();
                finish(lease(each));
                assertEnds(each, 1, List.of());
            }
        }
    }

    @Test
    void leaseGivenBackCostsNothing() {
        var lane = lane(3, 1);
        failAll(lease(lane));

        for (int delivery = 0; delivery < 5; delivery++) {
            assertThat(lease(lane).offsets()).containsExactly(0L);
            release(lane);
        }

        assertThat(failures(lane)).containsExactly("0+3: 1");
    }

    @Test
    void eachMessageOfAMixedAnswerPaysForItselfOnly() {
        var lane = lane(6, 3);
        var next = lease(lane);

        var verdicts = api.nack(List.of(Holder.of(next.wish(), "{[0,1)}")), Failed.of(1),
                new Failed(1, 2, "retry", null), new Failed(1, 3, "dlq", "no good"),
                new Failed(1, 4, "failed", "other"));

        assertThat(verdicts.items()).extracting(Api.Verdict::isDead).containsExactly(false, false, true, false);
        assertThat(failures(lane)).containsExactly("1+1: 1", "4+1: 1");
        var again = lease(lane);
        assertThat(again.offsets()).containsExactly(1L, 2L, 4L, 5L);
        assertThat(again.offsets()).extracting(again.given()::attempts).containsExactly(1, 0, 1, 0);
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts, DeadLetter::error)
                .containsExactly(tuple(3L, 1, "no good"));
    }

    @Test
    void runIsCutWhereItsMessagesFareDifferently() {
        var lane = lane(10, 9);
        failAll(lease(lane));
        var next = lease(lane);

        api.nack(List.of(Holder.of(next.wish(), "{[0,2)}")), Failed.of(4), Failed.of(5));

        assertThat(failures(lane)).containsExactly("0+4: 1", "4+2: 2", "6+4: 1");
        assertThat(lease(lane).given()).extracting(given -> given.attempts(2), given -> given.attempts(4),
                given -> given.attempts(6)).containsExactly(1, 2, 1);
    }

    @Test
    void deadLetterAfterARunTellsTheAttemptsOfEachMessage() {
        var lane = lane(4, 9);
        failAll(lease(lane));
        var next = lease(lane);

        api.nack(List.of(Holder.of(next.wish(), "{}")), new Failed(1, 2, "dlq", "enough"));

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(2L, 2));
    }

    @Test
    void seekForgetsWhatWasCharged() {
        var lane = lane(5, 1);
        failAll(lease(lane));

        api.operate("{success}", "seek_lane", "tester", GROUP, lane.queue(), lane.name(), false, true, null, null);

        assertThat(failures(lane)).isEmpty();
        assertThat(lease(lane).offsets()).hasSize(5);
    }

    @Test
    void skipPassesOverOneOfTheChargedMessages() {
        var lane = lane(3, 1);
        failAll(lease(lane));

        api.operate("{success}", "skip_message", "tester", GROUP, lane.queue(), lane.name(), true);

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(0L, 1));
        assertThat(lease(lane)).returns(List.of(1L), next -> next.offsets()).returns(1,
                next -> next.given().attempts());
    }

    @Test
    void removedMessageIsNotChargedAndDoesNotStopTheOthers() {
        var lane = lane(4, 1);
        var first = lease(lane);
        api.in(lane, "select " + api.schema() + ".remove_offset('" + lane.id() + "', 1)");

        runOut(lane);

        assertThat(first.offsets()).hasSize(4);
        for (long offset : new long[]{0, 2, 3}) {
            var alone = lease(lane);
            assertThat(alone.offsets()).containsExactly(offset);
            finish(alone);
        }
        assertThat(CursorRow.of(api, lane, GROUP)).returns(4L, CursorRow::committed).returns(false,
                CursorRow::isFailing);
    }

    @Test
    void transactionChargesAndFinishesLikeAcksAndNacks() {
        var lane = lane(3, 1);
        var next = lease(lane);

        api.transact(new Transaction(List.of(), List.of(Holder.of(next.wish(), "{[0,1)}")),
                List.of(Failed.of(1), Failed.of(2)), List.of()));

        assertThat(failures(lane)).containsExactly("1+2: 1");
        var alone = lease(lane);
        assertThat(alone.offsets()).containsExactly(1L);
        api.transact(
                new Transaction(List.of(), List.of(Holder.of(alone.wish(), "{}")), List.of(Failed.of(1)), List.of()));
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactly(1L);
        assertThat(lease(lane).offsets()).containsExactly(2L);
    }

    @Test
    void messagesThatFailedComeBackTogetherAfterTheirDelay() {
        var lane = database.newLaneWith(4, Map.of("retry_delay_ms", 60_000));
        failAll(lease(lane));
        assertThat(api.lease(Wish.of(lane, GROUP, BATCH)).getFirst().status()).isEqualTo("waiting");

        api.everywhere("update cursor set retry_at = now() where partition_id = '" + lane.id() + "'");
        api.everywhere("update failure set retry_at = now() where partition_id = '" + lane.id() + "'");

        assertThat(lease(lane).offsets()).hasSize(4);
    }

    @Test
    void leaseThatRanOutIsNoReasonToWaitLonger() {
        var lane = database.newLaneWith(4, Map.of("retry_delay_ms", 60_000));
        lease(lane);

        runOut(lane);

        assertThat(lease(lane).offsets()).hasSize(4);
    }
}
