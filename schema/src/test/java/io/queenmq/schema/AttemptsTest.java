package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Given;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Reader;
import io.queenmq.schema.Api.Transaction;
import io.queenmq.schema.Api.Wish;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a delivery that finished nothing costs, and whom: batches as usual until the last attempt, which is made alone. */
class AttemptsTest {
    private static final String GROUP = "workers";
    private static final int BATCH = 100;

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

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
                    List.of(new Holder(lane.id(), GROUP, first.wish.lease(),
                            "{[0," + failed + "),[" + (failed + 1) + ",100)}")),
                    Failed.of(failed));

            var again = lease(lane);

            assertThat(again.offsets).containsExactly(failed);
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
            for (long offset : next.offsets) {
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
                assertThat(alone.offsets).containsExactly(offset);
                assertThat(alone.given.isAlone()).isTrue();
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

    @Nested
    class AtTheLastAttempt {
        @Test
        void nothingElseIsUnderTheLease() {
            var lanes = database.newLanes(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            open(lanes, 2);
            failAll(lease(lanes.get(0)));

            var lease = lanes.get(0).newLeaseId();
            var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

            assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "spared");
            assertThat(given.getFirst()).returns(1L, Given::end).returns(true, Given::isAlone);
        }

        @Test
        void itDoesNotJoinWhatWasGivenBefore() {
            var lanes = database.newLanes(3, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            open(lanes, 2);
            failAll(lease(lanes.get(1)));

            var lease = lanes.get(0).newLeaseId();
            var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

            assertThat(given).extracting(Given::status).containsExactly("leased", "spared", "leased");
            assertThat(given).extracting(Given::isAlone).containsOnly(false);
        }

        @Test
        void itDoesNotJoinWhatAnEarlierCallGave() {
            var lanes = database.newLanes(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            open(lanes, 2);
            failAll(lease(lanes.get(1)));
            var lease = lanes.get(0).newLeaseId();
            api.lease(Wish.of(lanes.get(0), GROUP, 10).as(lease));

            assertThat(api.lease(Wish.of(lanes.get(1), GROUP, 10).as(lease)).getFirst().status()).isEqualTo("spared");
        }

        @Test
        void itKeepsNoOtherLaneBackWhileItCannotBeGiven() {
            var lanes = database.newLanes(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            open(lanes, 2);
            failAll(lease(lanes.get(0)));
            api.operate("{}", "pause_lane", "me", lanes.get(0).id(), true);

            var lease = lanes.get(0).newLeaseId();
            var given = api.lease(lanes.stream().map(each -> Wish.of(each, GROUP, 10).as(lease)).toArray(Wish[]::new));

            assertThat(given).extracting(Given::status).containsExactly("waiting", "leased");
        }

        @Test
        void callThatIsRepeatedAddsNothingToIt() {
            var lanes = database.newLanes(2, Map.of("retry_limit", 1, "retry_delay_ms", 0));
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
                api.nack(List.of(Holder.of(next.wish, "{}")), Failed.of(3), Failed.of(4));
            }

            var sizes = new ArrayList<Integer>();
            for (var next = lease(lane); next != null; next = lease(lane)) {
                sizes.add(next.offsets.size());
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
            assertThat(lease(lane).offsets).hasSize(1);
            release(lane);

            api.configure(lane.queue(), Map.of("retry_limit", 5));

            assertThat(lease(lane).offsets).hasSize(5);
        }

        @Test
        void loweredRetryLimitKillsNobodyWhoWasNotAlone() {
            var lane = lane(5, 5);
            failAll(lease(lane));
            lease(lane);
            api.configure(lane.queue(), Map.of("retry_limit", 0));

            runOut(lane);

            assertThat(DeadLetter.of(api, lane)).isEmpty();
            assertThat(lease(lane).offsets).containsExactly(0L);
        }
    }

    @Test
    void leaseGivenBackCostsNothing() {
        var lane = lane(3, 1);
        failAll(lease(lane));

        for (int delivery = 0; delivery < 5; delivery++) {
            assertThat(lease(lane).offsets).containsExactly(0L);
            release(lane);
        }

        assertThat(failures(lane)).containsExactly("0+3: 1");
    }

    @Test
    void eachMessageOfAMixedAnswerPaysForItselfOnly() {
        var lane = lane(6, 3);
        var next = lease(lane);

        var verdicts = api.nack(List.of(Holder.of(next.wish, "{[0,1)}")), Failed.of(1),
                new Failed(1, 2, "retry", null), new Failed(1, 3, "dlq", "no good"),
                new Failed(1, 4, "failed", "other"));

        assertThat(verdicts.items()).extracting(Api.Verdict::isDead).containsExactly(false, false, true, false);
        assertThat(failures(lane)).containsExactly("1+1: 1", "4+1: 1");
        var again = lease(lane);
        assertThat(again.offsets).containsExactly(1L, 2L, 4L, 5L);
        assertThat(again.offsets).extracting(again.given::attempts).containsExactly(1, 0, 1, 0);
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts, DeadLetter::error)
                .containsExactly(tuple(3L, 1, "no good"));
    }

    @Test
    void runIsCutWhereItsMessagesFareDifferently() {
        var lane = lane(10, 9);
        failAll(lease(lane));
        var next = lease(lane);

        api.nack(List.of(Holder.of(next.wish, "{[0,2)}")), Failed.of(4), Failed.of(5));

        assertThat(failures(lane)).containsExactly("0+4: 1", "4+2: 2", "6+4: 1");
        assertThat(lease(lane).given).extracting(given -> given.attempts(2), given -> given.attempts(4),
                given -> given.attempts(6)).containsExactly(1, 2, 1);
    }

    @Test
    void deadLetterAfterARunTellsTheAttemptsOfEachMessage() {
        var lane = lane(4, 9);
        failAll(lease(lane));
        var next = lease(lane);

        api.nack(List.of(Holder.of(next.wish, "{}")), new Failed(1, 2, "dlq", "enough"));

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(2L, 2));
    }

    @Test
    void seekForgetsWhatWasCharged() {
        var lane = lane(5, 1);
        failAll(lease(lane));

        api.operate("{success}", "seek_lane", "tester", GROUP, lane.queue(), lane.name(), false, true, null, null);

        assertThat(failures(lane)).isEmpty();
        assertThat(lease(lane).offsets).hasSize(5);
    }

    @Test
    void skipPassesOverOneOfTheChargedMessages() {
        var lane = lane(3, 1);
        failAll(lease(lane));

        api.operate("{success}", "skip_message", "tester", GROUP, lane.queue(), lane.name(), true);

        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(0L, 1));
        assertThat(lease(lane)).returns(List.of(1L), next -> next.offsets).returns(1, next -> next.given.attempts());
    }

    @Test
    void removedMessageIsNotChargedAndDoesNotStopTheOthers() {
        var lane = lane(4, 1);
        var first = lease(lane);
        api.execute("select " + api.schema() + ".remove_offset('" + lane.id() + "', 1)");

        runOut(lane);

        assertThat(first.offsets).hasSize(4);
        for (long offset : new long[]{0, 2, 3}) {
            var alone = lease(lane);
            assertThat(alone.offsets).containsExactly(offset);
            finish(alone);
        }
        assertThat(CursorRow.of(api, lane, GROUP)).returns(4L, CursorRow::committed).returns(false,
                CursorRow::isFailing);
    }

    @Test
    void transactionChargesAndFinishesLikeAcksAndNacks() {
        var lane = lane(3, 1);
        var next = lease(lane);

        api.transact(new Transaction(List.of(), List.of(Holder.of(next.wish, "{[0,1)}")),
                List.of(Failed.of(1), Failed.of(2)), List.of()));

        assertThat(failures(lane)).containsExactly("1+2: 1");
        var alone = lease(lane);
        assertThat(alone.offsets).containsExactly(1L);
        api.transact(
                new Transaction(List.of(), List.of(Holder.of(alone.wish, "{}")), List.of(Failed.of(1)), List.of()));
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactly(1L);
        assertThat(lease(lane).offsets).containsExactly(2L);
    }

    @Test
    void messagesThatFailedComeBackTogetherAfterTheirDelay() {
        var lane = database.newLaneWith(4, Map.of("retry_delay_ms", 60_000));
        failAll(lease(lane));
        assertThat(api.lease(Wish.of(lane, GROUP, BATCH)).getFirst().status()).isEqualTo("waiting");

        api.execute("update queen.cursor set retry_at = clock_timestamp() where partition_id = '" + lane.id() + "'");
        api.execute("update queen.failure set retry_at = clock_timestamp() where partition_id = '" + lane.id() + "'");

        assertThat(lease(lane).offsets).hasSize(4);
    }

    @Test
    void leaseThatRanOutIsNoReasonToWaitLonger() {
        var lane = database.newLaneWith(4, Map.of("retry_delay_ms", 60_000));
        lease(lane);

        runOut(lane);

        assertThat(lease(lane).offsets).hasSize(4);
    }

    private int crashesUntilDone(Lane lane, long poison) {
        int crashes = 0;
        for (var next = lease(lane); next != null; next = lease(lane)) {
            if (next.has(poison)) {
                runOut(lane);
                crashes++;
            } else {
                finish(next);
            }
        }
        return crashes;
    }

    /** What one delivery brought. */
    private record Delivery(Wish wish, Given given, List<Long> offsets) {
        boolean has(long offset) {
            return offsets.contains(offset);
        }
    }

    private Lane lane(int messages, int retryLimit) {
        var lane = database.newLaneWith(messages, Map.of("retry_limit", retryLimit, "retry_delay_ms", 0));
        api.subscribe(GROUP, lane.queue(), "", "", "all", null);
        return lane;
    }

    /** Fills each lane and lets the group in; answers a lease id that was made for the first of them. */
    private UUID open(List<Lane> lanes, int messages) {
        for (var lane : lanes) {
            api.push(new Append(lane, 0, Batch.ofSize(messages)));
            api.openCursors(new Opening(lane.id(), GROUP, null));
        }
        return lanes.getFirst().newLeaseId();
    }

    /** The next delivery of up to a hundred; null when there is none. */
    private Delivery lease(Lane lane) {
        var wish = Wish.of(lane, GROUP, BATCH);
        var given = api.lease(wish).getFirst();
        if (!given.isLeased()) {
            return null;
        }
        return new Delivery(wish, given, api.list(rows -> rows.getLong(1), """
                select o
                from queen.cursor c
                cross join lateral generate_series(c.committed, c.lease_end - 1) o
                where c.partition_id = ? and c.group_name = ? and not coalesce(c.acked @> o, false)
                order by o""", lane.id(), GROUP));
    }

    /** The next delivery, of as many messages as these. */
    private Delivery whole(Lane lane, int messages) {
        var next = lease(lane);
        assertThat(next.offsets).containsExactlyElementsOf(LongStream.range(0, messages).boxed().toList());
        return next;
    }

    private void failAll(Delivery delivery) {
        api.nack(List.of(Holder.of(delivery.wish, "{}")),
                delivery.offsets.stream().map(Failed::of).toArray(Failed[]::new));
    }

    private void finish(Delivery delivery) {
        ack(delivery, delivery.offsets.stream().mapToLong(Long::longValue).toArray());
    }

    private void ack(Delivery delivery, long... offsets) {
        var ranges = Arrays.stream(offsets).mapToObj(offset -> "[" + offset + "," + (offset + 1) + ")").toList();
        assertThat(api.ack(Holder.of(delivery.wish, "{" + String.join(",", ranges) + "}")).getFirst().isLive())
                .isTrue();
    }

    private void runOut(Lane lane) {
        CursorRow.runOut(api, lane, GROUP);
        assertThat(api.expire(new Reader(lane.id(), GROUP))).hasSize(1);
    }

    private void release(Lane lane) {
        assertThat(api.release(new Holder(lane.id(), GROUP, CursorRow.of(api, lane, GROUP).lease(), null))).hasSize(1);
    }

    /** The runs of messages that failed, with their attempts. */
    private List<String> failures(Lane lane) {
        return api.list(rows -> rows.getString(1), """
                select message_offset || '+' || message_count || ': ' || attempts
                from queen.failure
                where partition_id = ? and group_name = ?
                order by message_offset""", lane.id(), GROUP);
    }

    private void assertEnds(Lane lane, long messages, List<Long> dead) {
        assertThat(DeadLetter.of(api, lane)).extracting(DeadLetter::offset).containsExactlyElementsOf(dead);
        assertThat(CursorRow.of(api, lane, GROUP)).returns(messages, CursorRow::committed)
                .returns((long) dead.size(), CursorRow::dead).returns(messages - dead.size(), CursorRow::completed)
                .returns(false, CursorRow::isFailing).returns(true, CursorRow::isFree);
        assertThat(failures(lane)).isEmpty();
    }
}
