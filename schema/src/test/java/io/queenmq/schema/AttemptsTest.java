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

/** The charge of a delivery that finishes nothing: batches as usual until the last attempt, which is made alone. */
class AttemptsTest extends AttemptsPlay {
    @Nested
    class OfABatchOfAHundredWithThreeRetries {
        private final Partition partition = partition(BATCH, 3);

        @Test
        void aFailedBatchIsRedeliveredAsABatch() {
            for (int delivery = 0; delivery < 2; delivery++) {
                failAll(whole(partition, BATCH));
            }

            finish(whole(partition, BATCH));

            assertEnds(partition, BATCH, List.of());
            assertThat(failures(partition)).isEmpty();
        }

        @Test
        void isKeptAsOneRunOfFailures() {
            failAll(whole(partition, BATCH));
            failAll(whole(partition, BATCH));

            assertThat(failures(partition)).containsExactly("0+100: 2");
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 50, 98, 99})
        void onlyTheFailingMessageIsDeadLetteredWhenWholeBatchesFail(long poison) {
            int failed = 0;
            for (var next = lease(partition); next != null; next = lease(partition)) {
                if (next.has(poison)) {
                    failAll(next);
                    failed++;
                } else {
                    finish(next);
                }
            }

            assertThat(failed).isEqualTo(4);
            assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(poison, 4));
            assertEnds(partition, BATCH, List.of(poison));
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 1, 50, 98, 99})
        void onlyTheFailingMessageIsDeadLetteredWhenConsumersCrash(long poison) {
            assertThat(crashesUntilDone(partition, poison)).isEqualTo(4);

            assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(poison, 4));
            assertEnds(partition, BATCH, List.of(poison));
        }

        @ParameterizedTest
        @ValueSource(longs = {0, 50, 99})
        void onlyTheFailedMessageIsRedelivered(long failed) {
            var first = whole(partition, BATCH);
            api.nack(List.of(new Holder(partition.id(), GROUP, first.request().lease(),
                    "{[0," + failed + "),[" + (failed + 1) + ",100)}")), Failed.of(failed));

            var again = lease(partition);

            assertThat(again.offsets()).containsExactly(failed);
            finish(again);
            assertThat(lease(partition)).isNull();
            assertEnds(partition, BATCH, List.of());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "2, 3", "3, 4", "7, 8"})
    void numberOfCrashesFollowsFromTheRetryLimitAlone(int retryLimit, int crashes) {
        for (long poison : new long[]{0, 7, 19}) {
            var partition = partition(20, retryLimit);

            assertThat(crashesUntilDone(partition, poison)).as("poison at %d", poison).isEqualTo(crashes);

            assertEnds(partition, 20, List.of(poison));
        }
    }

    @Test
    void onlyTheFailingMessageOfAPartlyAckedBatchIsDeadLettered() {
        var partition = partition(10, 2);
        int crashes = 0;
        for (var next = lease(partition); next != null; next = lease(partition)) {
            for (long offset : next.offsets()) {
                if (offset == 6) {
                    runOut(partition);
                    crashes++;
                    break;
                }
                ack(next, offset);
            }
        }

        assertThat(crashes).isEqualTo(3);
        assertEnds(partition, 10, List.of(6L));
    }

    @Nested
    class WithoutRetries {
        private final Partition partition = partition(5, 0);

        @Test
        void everyMessageThatIsNackedByIdIsDeadLettered() {
            failAll(whole(partition, 5));

            assertEnds(partition, 5, List.of(0L, 1L, 2L, 3L, 4L));
        }

        @Test
        void leaseOfSeveralThatRanOutIsFollowedByDeliveriesOneAtATime() {
            whole(partition, 5);
            runOut(partition);

            for (long offset = 0; offset < 5; offset++) {
                var alone = lease(partition);
                assertThat(alone.offsets()).containsExactly(offset);
                assertThat(alone.given().isAlone()).isTrue();
                finish(alone);
            }
            assertEnds(partition, 5, List.of());
        }

        @Test
        void leaseOfOneThatRanOutBuriesIt() {
            api.lease(LeaseRequest.of(partition, GROUP, 1));
            runOut(partition);

            assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                    .containsExactly(tuple(0L, 1));
        }

        @Test
        void soleMessageOfASolePartitionIsDeadLetteredAtOnce() {
            var single = partition(1, 0);
            api.lease(LeaseRequest.of(single, GROUP, BATCH).withPartitionLimit(1));

            runOut(single);

            assertEnds(single, 1, List.of(0L));
        }

        @Test
        void messagesOfTwoPartitionsUnderOneLeaseAreBothTriedAlone() {
            var partitions = database.newPartitions(2, Map.of("retry_limit", 0, "retry_delay_ms", 0));
            var lease = open(partitions, 1);
            api.lease(partitions.stream().map(each -> LeaseRequest.of(each, GROUP, 10).as(lease))
                    .toArray(LeaseRequest[]::new));

            partitions.forEach(AttemptsTest.this::runOut);

            for (var each : partitions) {
                assertThat(DeadLetter.of(api, each)).isEmpty();
                finish(lease(each));
                assertEnds(each, 1, List.of());
            }
        }
    }

    @Test
    void releasedLeaseCostsNoAttempt() {
        var partition = partition(3, 1);
        failAll(lease(partition));

        for (int delivery = 0; delivery < 5; delivery++) {
            assertThat(lease(partition).offsets()).containsExactly(0L);
            release(partition);
        }

        assertThat(failures(partition)).containsExactly("0+3: 1");
    }

    @Test
    void eachMessageOfAMixedAnswerPaysForItselfOnly() {
        var partition = partition(6, 3);
        var next = lease(partition);

        var verdicts = api.nack(List.of(Holder.of(next.request(), "{[0,1)}")), Failed.of(1),
                new Failed(1, 2, "retry", null), new Failed(1, 3, "dlq", "no good"),
                new Failed(1, 4, "failed", "other"));

        assertThat(verdicts.items()).extracting(Api.Verdict::isDead).containsExactly(false, false, true, false);
        assertThat(failures(partition)).containsExactly("1+1: 1", "4+1: 1");
        var again = lease(partition);
        assertThat(again.offsets()).containsExactly(1L, 2L, 4L, 5L);
        assertThat(again.offsets()).extracting(again.given()::attempts).containsExactly(1, 0, 1, 0);
        assertThat(DeadLetter.of(api, partition))
                .extracting(DeadLetter::offset, DeadLetter::attempts, DeadLetter::error)
                .containsExactly(tuple(3L, 1, "no good"));
    }

    @Test
    void runIsCutWhereItsMessagesFareDifferently() {
        var partition = partition(10, 9);
        failAll(lease(partition));
        var next = lease(partition);

        api.nack(List.of(Holder.of(next.request(), "{[0,2)}")), Failed.of(4), Failed.of(5));

        assertThat(failures(partition)).containsExactly("0+4: 1", "4+2: 2", "6+4: 1");
        assertThat(lease(partition).given())
                .extracting(given -> given.attempts(2), given -> given.attempts(4), given -> given.attempts(6))
                .containsExactly(1, 2, 1);
    }

    @Test
    void deadLettersAfterARunHaveTheAttemptsOfEachMessage() {
        var partition = partition(4, 9);
        failAll(lease(partition));
        var next = lease(partition);

        api.nack(List.of(Holder.of(next.request(), "{}")), new Failed(1, 2, "dlq", "enough"));

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(2L, 2));
    }

    @Test
    void seekResetsAttempts() {
        var partition = partition(5, 1);
        failAll(lease(partition));

        api.operate("{success}", "seek_partition", "tester", GROUP, partition.queue(), partition.name(), false, true,
                null, null);

        assertThat(failures(partition)).isEmpty();
        assertThat(lease(partition).offsets()).hasSize(5);
    }

    @Test
    void skipPassesOverOneOfTheChargedMessages() {
        var partition = partition(3, 1);
        failAll(lease(partition));

        api.operate("{success}", "skip_message", "tester", GROUP, partition.queue(), partition.name(), true);

        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset, DeadLetter::attempts)
                .containsExactly(tuple(0L, 1));
        assertThat(lease(partition)).returns(List.of(1L), next -> next.offsets()).returns(1,
                next -> next.given().attempts());
    }

    @Test
    void removedMessageIsNotChargedAndDoesNotStopTheOthers() {
        var partition = partition(4, 1);
        var first = lease(partition);
        api.in(partition, "select " + api.schema() + ".remove_offset('" + partition.id() + "', 1)");

        runOut(partition);

        assertThat(first.offsets()).hasSize(4);
        for (long offset : new long[]{0, 2, 3}) {
            var alone = lease(partition);
            assertThat(alone.offsets()).containsExactly(offset);
            finish(alone);
        }
        assertThat(CursorRow.of(api, partition, GROUP)).returns(4L, CursorRow::committed).returns(false,
                CursorRow::isFailing);
    }

    @Test
    void transactionChargesAndFinishesLikeAcksAndNacks() {
        var partition = partition(3, 1);
        var next = lease(partition);

        api.transact(new Transaction(List.of(), List.of(Holder.of(next.request(), "{[0,1)}")),
                List.of(Failed.of(1), Failed.of(2)), List.of()));

        assertThat(failures(partition)).containsExactly("1+2: 1");
        var alone = lease(partition);
        assertThat(alone.offsets()).containsExactly(1L);
        api.transact(new Transaction(List.of(), List.of(Holder.of(alone.request(), "{}")), List.of(Failed.of(1)),
                List.of()));
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(1L);
        assertThat(lease(partition).offsets()).containsExactly(2L);
    }

    @Test
    void failedMessagesAreRedeliveredTogetherAfterTheirDelay() {
        var partition = database.newPartitionWith(4, Map.of("retry_delay_ms", 60_000));
        failAll(lease(partition));
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, BATCH)).getFirst().status()).isEqualTo("waiting");

        api.everywhere("update cursor set retry_at = now() where partition_id = '" + partition.id() + "'");
        api.everywhere("update failure set retry_at = now() where partition_id = '" + partition.id() + "'");

        assertThat(lease(partition).offsets()).hasSize(4);
    }

    @Test
    void leaseThatRanOutIsNoReasonToWaitLonger() {
        var partition = database.newPartitionWith(4, Map.of("retry_delay_ms", 60_000));
        lease(partition);

        runOut(partition);

        assertThat(lease(partition).offsets()).hasSize(4);
    }
}
