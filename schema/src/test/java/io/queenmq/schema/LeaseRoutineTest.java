package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Reader;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass(name = "short way tried: {0}")
@ValueSource(booleans = {true, false})
class LeaseRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api;

    LeaseRoutineTest(boolean triesPlain) {
        api = database.api().tryingPlain(triesPlain);
    }

    @Test
    void nothingWantedGivesNoRow() {
        assertThat(api.lease()).isEmpty();
    }

    @Nested
    class WhenThePartitionIsFree {
        @Test
        void messagesAreGivenFromTheFirstUnfinishedOne() {
            var partition = database.newPartitionWith(10);
            var wish = Wish.of(partition, GROUP, 4);

            var given = api.lease(wish).getFirst();

            assertThat(given).returns("leased", Given::status).returns(0L, Given::first).returns(4L, Given::end)
                    .returns(0, Given::attempts);
            assertThat(given).returns(60_000L, Given::untilMs).returns(10L, Given::head);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(wish.lease(), CursorRow::lease)
                    .returns(4L, CursorRow::leaseEnd);
        }

        @Test
        void batchEndsAtTheHead() {
            var partition = database.newPartitionWith(3);

            assertThat(lease(Wish.of(partition, GROUP, 10)).end()).isEqualTo(3);
        }

        @Test
        void emptyPartitionIsNotLeased() {
            var partition = database.newPartition();
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));

            assertThat(lease(Wish.of(partition, GROUP, 10)).status()).isEqualTo("empty");
            assertThat(CursorRow.of(api, partition, GROUP).isFree()).isTrue();
        }

        @Test
        void partitionWithoutACursorGivesNoRow() {
            var partition = database.newPartitionWith(1);

            assertThat(api.lease(Wish.of(partition, "strangers", 1))).isEmpty();
        }

        @Test
        void removedMessagesAreSkipped() {
            var partition = database.newPartitionWith(10);
            api.everywhere("update partition set tail = 6 where id = '" + partition.id() + "'");

            assertThat(lease(Wish.of(partition, GROUP, 10))).returns(6L, Given::first).returns(10L, Given::end);
            assertThat(CursorRow.of(api, partition, GROUP).committed()).isEqualTo(6);
        }

        @Test
        void finishedMessagesAtTheTailAreSkippedToo() {
            var partition = database.newPartitionWith(10);
            finish(partition, "{[5,8)}");
            api.everywhere("update partition set tail = 5 where id = '" + partition.id() + "'");

            assertThat(lease(Wish.of(partition, GROUP, 2))).returns(8L, Given::first).returns(10L, Given::end);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(8L, CursorRow::committed)
                    .returns(null, CursorRow::acked);
        }

        @Test
        void messagesFinishedAheadAreNamed() {
            var partition = database.newPartitionWith(5);
            finish(partition, "{[1,3)}");

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns("{[1,3)}", Given::acked).returns(0L, Given::first)
                    .returns(5L, Given::end);
        }

        private void finish(Partition partition, String offsets) {
            var wish = Wish.of(partition, GROUP, 10);
            api.lease(wish);
            api.ack(Holder.of(wish, offsets));
            api.release(Holder.of(wish, "{}"));
        }
    }

    @Nested
    class WhenSomeoneHoldsThePartition {
        @Test
        void itIsBusyUntilThen() {
            var partition = database.newPartitionWith(1);
            lease(Wish.of(partition, GROUP, 1));

            var given = lease(Wish.of(partition, GROUP, 1));

            assertThat(given.status()).isEqualTo("busy");
            assertThat(given.untilMs()).isBetween(10_000L, 60_000L);
        }

        @Test
        void anotherGroupMayHaveIt() {
            var partition = database.newPartitionWith(1);
            api.openCursors(new Api.Opening(partition.id(), "others", null));
            lease(Wish.of(partition, GROUP, 1));

            assertThat(lease(Wish.of(partition, "others", 1)).status()).isEqualTo("leased");
        }

        @Test
        void theSameLeaseGetsTheSameAnswerAgain() {
            var partition = database.newPartitionWith(5);
            var wish = Wish.of(partition, GROUP, 2);
            lease(wish);
            api.push(new Append(partition, 5, Batch.ofSize(5)));

            assertThat(lease(wish)).returns("leased", Given::status).returns(0L, Given::first).returns(2L, Given::end)
                    .extracting(Given::untilMs, LONG).isBetween(10_000L, 60_000L);
        }

        @Test
        void anOverdueHolderIsReportedAndNotReplaced() {
            var partition = database.newPartitionWith(1);
            var wish = Wish.of(partition, GROUP, 1);
            lease(wish);
            CursorRow.runOut(api, partition, GROUP);

            assertThat(lease(Wish.of(partition, GROUP, 1)).status()).isEqualTo("expired");
            assertThat(lease(wish).status()).isEqualTo("expired");
            assertThat(CursorRow.of(api, partition, GROUP).lease()).isEqualTo(wish.lease());
        }
    }

    @Nested
    class WhenAMessageFailedBefore {
        @Test
        void itIsGivenWithTheOthersAndItsAttempts() {
            var partition = database.newPartitionWith(5);
            fail(partition, 2);

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns(0L, Given::first).returns(5L, Given::end)
                    .returns(false, Given::isAlone)
                    .extracting(given -> given.attempts(1), given -> given.attempts(2), given -> given.attempts(3))
                    .containsExactly(0, 1, 0);
        }

        @Test
        void itsLastAttemptIsMadeAlone() {
            var partition = database.newPartitionWith(5, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            fail(partition, 0);

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns(0L, Given::first).returns(1L, Given::end)
                    .returns(1, Given::attempts).returns(true, Given::isAlone);
        }

        @Test
        void itsPredecessorsAreGivenWithoutItWhenItHasToComeAlone() {
            var partition = database.newPartitionWith(5, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            fail(partition, 2);

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns(0L, Given::first).returns(2L, Given::end)
                    .returns(false, Given::isAlone);
        }

        @Test
        void itsPredecessorsAreGivenWithoutItWhileItIsNotDue() {
            var partition = database.newPartitionWith(5, Map.of("retry_delay_ms", 60_000));
            fail(partition, 2);

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns(0L, Given::first).returns(2L, Given::end);
        }

        @Test
        void thePartitionWaitsUntilItIsDue() {
            var partition = database.newPartitionWith(5, Map.of("retry_delay_ms", 60_000));
            fail(partition, 0);

            assertThat(lease(Wish.of(partition, GROUP, 5))).returns("waiting", Given::status)
                    .extracting(Given::untilMs, LONG).isBetween(10_000L, 60_000L);
        }

        private void fail(Partition partition, long offset) {
            var wish = Wish.of(partition, GROUP, 5);
            api.lease(wish);
            api.nack(List.of(Holder.of(wish, "{}")), Failed.of(offset));
        }
    }

    @Nested
    class WhenOneLeaseCoversSeveralPartitions {
        @Test
        void theyShareTheBatchInWishOrder() {
            var partitions = database.newPartitionsTogether(4);
            fill(partitions, 3);
            var lease = partitions.get(0).newLeaseId();

            var given = api
                    .lease(partitions.reversed().stream().map(partition -> Wish.of(partition, GROUP, 7).as(lease))
                            .toArray(Wish[]::new));

            assertThat(given).extracting(Given::status).containsExactly("leased", "leased", "leased", "spared");
            assertThat(given).extracting(Given::end).startsWith(3L, 3L, 1L);
            assertThat(CursorRow.of(api, partitions.get(0), GROUP).isFree()).isTrue();
        }

        @Test
        void noMorePartitionsAreGivenThanAsked() {
            var partitions = database.newPartitionsTogether(3);
            fill(partitions.subList(1, 3), 3);
            api.openCursors(new Api.Opening(partitions.getFirst().id(), GROUP, null));
            var lease = partitions.getFirst().newLeaseId();

            var given = api.lease(
                    partitions.stream().map(partition -> Wish.of(partition, GROUP, 9).withPartitionLimit(1).as(lease))
                            .toArray(Wish[]::new));

            assertThat(given).extracting(Given::status).containsExactly("empty", "leased", "spared");
        }

        @Test
        void leasesAreCountedApart() {
            var partitions = database.newPartitionsTogether(2);
            fill(partitions, 3);

            var given = api.lease(Wish.of(partitions.get(0), GROUP, 2), Wish.of(partitions.get(1), GROUP, 3));

            assertThat(given).extracting(Given::end).containsExactly(2L, 3L);
        }

        @Test
        void partitionsAlreadyTakenDoNotUseUpTheBatch() {
            var partitions = database.newPartitionsTogether(2);
            fill(partitions, 3);
            lease(Wish.of(partitions.get(0), GROUP, 1));
            var lease = partitions.get(0).newLeaseId();

            var given = api.lease(
                    Wish.of(partitions.get(0), GROUP, 3).as(lease), Wish.of(partitions.get(1), GROUP, 3).as(lease));

            assertThat(given).extracting(Given::status).containsExactly("busy", "leased");
            assertThat(given.get(1).end()).isEqualTo(3);
        }

        private void fill(List<Partition> partitions, int count) {
            for (var partition : partitions) {
                api.push(new Append(partition, 0, Batch.ofSize(count)));
                api.openCursors(new Api.Opening(partition.id(), GROUP, null));
            }
        }
    }

    @Nested
    class WhenMessagesMustWait {
        @Test
        void delayedMessagesAreGivenWhenTheyAreOldEnough() {
            var partition = database.newPartitionWith(2);
            api.push(new Append(partition, 2, Batch.ofSize(2)));
            var wish = Wish.of(partition, GROUP, 10).delayedBy(3600);

            assertThat(lease(wish)).returns("waiting", Given::status).extracting(Given::untilMs, LONG)
                    .isBetween(3_500_000L, 3_600_000L);

            age(partition, 0, "61 min");
            assertThat(lease(wish)).returns("leased", Given::status).returns(2L, Given::end);
        }

        @Test
        void partitionRestsUntilItsLastMessageIsAsOldAsTheWindow() {
            var partition = database.newPartitionWith(2);
            var wish = Wish.of(partition, GROUP, 10).withWindow(3600);

            assertThat(lease(wish).status()).isEqualTo("waiting");

            api.everywhere("update partition set last_push_at = last_push_at - interval '61 min' where id = '"
                    + partition.id() + "'");
            assertThat(lease(wish).status()).isEqualTo("leased");
        }

        private void age(Partition partition, long base, String by) {
            api.everywhere("update segment set created_at = created_at - interval '" + by + "' where base = " + base
                    + " and partition_id = '" + partition.id() + "'");
        }
    }

    @Nested
    class WithAutoAck {
        @Test
        void messagesAreFinishedAndNobodyHoldsThePartition() {
            var partition = database.newPartitionWith(5);

            var given = api.lease(true, Wish.of(partition, GROUP, 3)).getFirst();

            assertThat(given).returns("leased", Given::status).returns(3L, Given::end);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree)
                    .returns(3L, CursorRow::committed).returns(3L, CursorRow::completed);
        }

        @Test
        void messagesFinishedAheadAreCountedOnce() {
            var partition = database.newPartitionWith(6);
            var wish = Wish.of(partition, GROUP, 6);
            api.lease(wish);
            api.ack(Holder.of(wish, "{[1,2),[3,5)}"));
            api.release(Holder.of(wish, "{}"));

            api.lease(true, Wish.of(partition, GROUP, 3));

            assertThat(CursorRow.of(api, partition, GROUP)).returns(5L, CursorRow::committed)
                    .returns(null, CursorRow::acked).returns(5L, CursorRow::completed);
        }

        @Test
        void failedMessageIsForgottenOnceItIsDelivered() {
            var partition = database.newPartitionWith(3);
            var wish = Wish.of(partition, GROUP, 3);
            api.lease(wish);
            api.nack(List.of(Holder.of(wish, "{}")), Failed.of(0));

            assertThat(api.lease(true, Wish.of(partition, GROUP, 3)).getFirst().end()).isEqualTo(3);

            assertThat(CursorRow.of(api, partition, GROUP).isFailing()).isFalse();
            assertThat(Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?",
                    partition.id())).isZero();
        }

        @Test
        void failedMessageStillWaitsForItsRetry() {
            var partition = database.newPartitionWith(3, Map.of("retry_delay_ms", 60_000));
            var wish = Wish.of(partition, GROUP, 3);
            api.lease(wish);
            api.nack(List.of(Holder.of(wish, "{}")), Failed.of(1));

            assertThat(api.lease(true, Wish.of(partition, GROUP, 3)).getFirst().end()).isEqualTo(1);

            assertThat(api.lease(true, Wish.of(partition, GROUP, 3)).getFirst().status()).isEqualTo("waiting");
        }
    }

    @Test
    void partitionsOfALeaseAreFoundByItsIdOnly() {
        var partitions = database.newPartitionsTogether(2);
        for (var partition : partitions) {
            api.push(new Append(partition, 0, Batch.ofSize(1)));
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));
        }
        var lease = UUID.randomUUID();

        api.lease(Wish.of(partitions.get(0), GROUP, 5).as(lease));
        api.lease(Wish.of(partitions.get(1), GROUP, 5).as(lease));

        assertThat(api.list(rows -> rows.getObject(1, UUID.class),
                "select partition_id from " + api.schema() + ".partitions_of(array[?]::uuid[])", lease))
                .containsExactlyInAnyOrder(partitions.get(0).id(), partitions.get(1).id());
    }

    @Test
    void expiredLeaseCanBeGivenAgainAfterExpire() {
        var partition = database.newPartitionWith(1);
        lease(Wish.of(partition, GROUP, 1).forSeconds(0));
        api.expire(new Reader(partition.id(), GROUP));

        assertThat(lease(Wish.of(partition, GROUP, 1)).status()).isEqualTo("leased");
    }

    private Given lease(Wish wish) {
        return api.lease(wish).getFirst();
    }
}
