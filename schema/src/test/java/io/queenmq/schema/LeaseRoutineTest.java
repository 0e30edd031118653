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
    void emptyLeaseReturnsNoRow() {
        assertThat(api.lease()).isEmpty();
    }

    @Nested
    class WhenThePartitionIsFree {
        @Test
        void messagesAreLeasedFromTheFirstUnfinishedOne() {
            var partition = database.newPartitionWith(10);
            var request = LeaseRequest.of(partition, GROUP, 4);

            var given = api.lease(request).getFirst();

            assertThat(given).returns("leased", LeaseResult::status).returns(0L, LeaseResult::first)
                    .returns(4L, LeaseResult::end).returns(0, LeaseResult::attempts);
            assertThat(given).returns(60_000L, LeaseResult::untilMs).returns(10L, LeaseResult::head);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(request.lease(), CursorRow::lease).returns(4L,
                    CursorRow::leaseEnd);
        }

        @Test
        void batchEndsAtTheHead() {
            var partition = database.newPartitionWith(3);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 10)).end()).isEqualTo(3);
        }

        @Test
        void emptyPartitionIsNotLeased() {
            var partition = database.newPartition();
            api.openCursors(new Api.Opening(partition.id(), GROUP, null));

            assertThat(lease(LeaseRequest.of(partition, GROUP, 10)).status()).isEqualTo("empty");
            assertThat(CursorRow.of(api, partition, GROUP).isFree()).isTrue();
        }

        @Test
        void partitionWithoutACursorReturnsNoRow() {
            var partition = database.newPartitionWith(1);

            assertThat(api.lease(LeaseRequest.of(partition, "strangers", 1))).isEmpty();
        }

        @Test
        void removedMessagesAreSkipped() {
            var partition = database.newPartitionWith(10);
            api.everywhere("update partition set tail = 6 where id = '" + partition.id() + "'");

            assertThat(lease(LeaseRequest.of(partition, GROUP, 10))).returns(6L, LeaseResult::first).returns(10L,
                    LeaseResult::end);
            assertThat(CursorRow.of(api, partition, GROUP).committed()).isEqualTo(6);
        }

        @Test
        void finishedMessagesAtTheTailAreSkippedToo() {
            var partition = database.newPartitionWith(10);
            finish(partition, "{[5,8)}");
            api.everywhere("update partition set tail = 5 where id = '" + partition.id() + "'");

            assertThat(lease(LeaseRequest.of(partition, GROUP, 2))).returns(8L, LeaseResult::first).returns(10L,
                    LeaseResult::end);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(8L, CursorRow::committed).returns(null,
                    CursorRow::acked);
        }

        @Test
        void messagesFinishedAheadAreNamed() {
            var partition = database.newPartitionWith(5);
            finish(partition, "{[1,3)}");

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns("{[1,3)}", LeaseResult::acked)
                    .returns(0L, LeaseResult::first).returns(5L, LeaseResult::end);
        }

        private void finish(Partition partition, String offsets) {
            var request = LeaseRequest.of(partition, GROUP, 10);
            api.lease(request);
            api.ack(Holder.of(request, offsets));
            api.release(Holder.of(request, "{}"));
        }
    }

    @Nested
    class WhenThePartitionIsLeased {
        @Test
        void thePartitionIsBusyUntilTheLeaseEnds() {
            var partition = database.newPartitionWith(1);
            lease(LeaseRequest.of(partition, GROUP, 1));

            var given = lease(LeaseRequest.of(partition, GROUP, 1));

            assertThat(given.status()).isEqualTo("busy");
            assertThat(given.untilMs()).isBetween(10_000L, 60_000L);
        }

        @Test
        void anotherGroupMayHaveIt() {
            var partition = database.newPartitionWith(1);
            api.openCursors(new Api.Opening(partition.id(), "others", null));
            lease(LeaseRequest.of(partition, GROUP, 1));

            assertThat(lease(LeaseRequest.of(partition, "others", 1)).status()).isEqualTo("leased");
        }

        @Test
        void theSameLeaseGetsTheSameAnswerAgain() {
            var partition = database.newPartitionWith(5);
            var request = LeaseRequest.of(partition, GROUP, 2);
            lease(request);
            api.push(new Append(partition, 5, Batch.ofSize(5)));

            assertThat(lease(request)).returns("leased", LeaseResult::status).returns(0L, LeaseResult::first)
                    .returns(2L, LeaseResult::end).extracting(LeaseResult::untilMs, LONG).isBetween(10_000L, 60_000L);
        }

        @Test
        void anOverdueHolderIsReportedAndNotReplaced() {
            var partition = database.newPartitionWith(1);
            var request = LeaseRequest.of(partition, GROUP, 1);
            lease(request);
            CursorRow.runOut(api, partition, GROUP);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 1)).status()).isEqualTo("expired");
            assertThat(lease(request).status()).isEqualTo("expired");
            assertThat(CursorRow.of(api, partition, GROUP).lease()).isEqualTo(request.lease());
        }
    }

    @Nested
    class WhenAMessageFailedBefore {
        @Test
        void aFailedMessageIsLeasedWithTheOthersAndItsAttempts() {
            var partition = database.newPartitionWith(5);
            fail(partition, 2);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns(0L, LeaseResult::first)
                    .returns(5L, LeaseResult::end).returns(false, LeaseResult::isAlone)
                    .extracting(given -> given.attempts(1), given -> given.attempts(2), given -> given.attempts(3))
                    .containsExactly(0, 1, 0);
        }

        @Test
        void itsLastAttemptIsMadeAlone() {
            var partition = database.newPartitionWith(5, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            fail(partition, 0);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns(0L, LeaseResult::first)
                    .returns(1L, LeaseResult::end).returns(1, LeaseResult::attempts)
                    .returns(true, LeaseResult::isAlone);
        }

        @Test
        void itsPredecessorsAreLeasedWithoutItIfItMustBeAlone() {
            var partition = database.newPartitionWith(5, Map.of("retry_limit", 1, "retry_delay_ms", 0));
            fail(partition, 2);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns(0L, LeaseResult::first)
                    .returns(2L, LeaseResult::end).returns(false, LeaseResult::isAlone);
        }

        @Test
        void itsPredecessorsAreLeasedWithoutItWhileItIsNotDue() {
            var partition = database.newPartitionWith(5, Map.of("retry_delay_ms", 60_000));
            fail(partition, 2);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns(0L, LeaseResult::first).returns(2L,
                    LeaseResult::end);
        }

        @Test
        void thePartitionWaitsUntilItIsDue() {
            var partition = database.newPartitionWith(5, Map.of("retry_delay_ms", 60_000));
            fail(partition, 0);

            assertThat(lease(LeaseRequest.of(partition, GROUP, 5))).returns("waiting", LeaseResult::status)
                    .extracting(LeaseResult::untilMs, LONG).isBetween(10_000L, 60_000L);
        }

        private void fail(Partition partition, long offset) {
            var request = LeaseRequest.of(partition, GROUP, 5);
            api.lease(request);
            api.nack(List.of(Holder.of(request, "{}")), Failed.of(offset));
        }
    }

    @Nested
    class WhenOneLeaseCoversSeveralPartitions {
        @Test
        void partitionsShareTheBatchInRequestOrder() {
            var partitions = database.newPartitionsTogether(4);
            fill(partitions, 3);
            var lease = partitions.get(0).newLeaseId();

            var given = api.lease(partitions.reversed().stream()
                    .map(partition -> LeaseRequest.of(partition, GROUP, 7).as(lease)).toArray(LeaseRequest[]::new));

            assertThat(given).extracting(LeaseResult::status).containsExactly("leased", "leased", "leased", "spared");
            assertThat(given).extracting(LeaseResult::end).startsWith(3L, 3L, 1L);
            assertThat(CursorRow.of(api, partitions.get(0), GROUP).isFree()).isTrue();
        }

        @Test
        void partitionLimitIsKept() {
            var partitions = database.newPartitionsTogether(3);
            fill(partitions.subList(1, 3), 3);
            api.openCursors(new Api.Opening(partitions.getFirst().id(), GROUP, null));
            var lease = partitions.getFirst().newLeaseId();

            var given = api.lease(partitions.stream()
                    .map(partition -> LeaseRequest.of(partition, GROUP, 9).withPartitionLimit(1).as(lease))
                    .toArray(LeaseRequest[]::new));

            assertThat(given).extracting(LeaseResult::status).containsExactly("empty", "leased", "spared");
        }

        @Test
        void leasesAreCountedApart() {
            var partitions = database.newPartitionsTogether(2);
            fill(partitions, 3);

            var given = api.lease(LeaseRequest.of(partitions.get(0), GROUP, 2),
                    LeaseRequest.of(partitions.get(1), GROUP, 3));

            assertThat(given).extracting(LeaseResult::end).containsExactly(2L, 3L);
        }

        @Test
        void leasedPartitionsDoNotReduceTheBatch() {
            var partitions = database.newPartitionsTogether(2);
            fill(partitions, 3);
            lease(LeaseRequest.of(partitions.get(0), GROUP, 1));
            var lease = partitions.get(0).newLeaseId();

            var given = api.lease(LeaseRequest.of(partitions.get(0), GROUP, 3).as(lease),
                    LeaseRequest.of(partitions.get(1), GROUP, 3).as(lease));

            assertThat(given).extracting(LeaseResult::status).containsExactly("busy", "leased");
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
        void delayedMessagesAreLeasedWhenDue() {
            var partition = database.newPartitionWith(2);
            api.push(new Append(partition, 2, Batch.ofSize(2)));
            var request = LeaseRequest.of(partition, GROUP, 10).delayedBy(3600);

            assertThat(lease(request)).returns("waiting", LeaseResult::status).extracting(LeaseResult::untilMs, LONG)
                    .isBetween(3_500_000L, 3_600_000L);

            age(partition, 0, "61 min");
            assertThat(lease(request)).returns("leased", LeaseResult::status).returns(2L, LeaseResult::end);
        }

        @Test
        void aPartitionIsNotLeasedUntilItsLastMessageIsAsOldAsTheWindow() {
            var partition = database.newPartitionWith(2);
            var request = LeaseRequest.of(partition, GROUP, 10).withWindow(3600);

            assertThat(lease(request).status()).isEqualTo("waiting");

            api.everywhere("update partition set last_push_at = last_push_at - interval '61 min' where id = '"
                    + partition.id() + "'");
            assertThat(lease(request).status()).isEqualTo("leased");
        }

        private void age(Partition partition, long base, String by) {
            api.everywhere("update segment set created_at = created_at - interval '" + by + "' where base = " + base
                    + " and partition_id = '" + partition.id() + "'");
        }
    }

    @Nested
    class WithAutoAck {
        @Test
        void messagesAreFinishedWithoutALease() {
            var partition = database.newPartitionWith(5);

            var given = api.lease(true, LeaseRequest.of(partition, GROUP, 3)).getFirst();

            assertThat(given).returns("leased", LeaseResult::status).returns(3L, LeaseResult::end);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree)
                    .returns(3L, CursorRow::committed).returns(3L, CursorRow::completed);
        }

        @Test
        void messagesFinishedAheadAreCountedOnce() {
            var partition = database.newPartitionWith(6);
            var request = LeaseRequest.of(partition, GROUP, 6);
            api.lease(request);
            api.ack(Holder.of(request, "{[1,2),[3,5)}"));
            api.release(Holder.of(request, "{}"));

            api.lease(true, LeaseRequest.of(partition, GROUP, 3));

            assertThat(CursorRow.of(api, partition, GROUP)).returns(5L, CursorRow::committed)
                    .returns(null, CursorRow::acked).returns(5L, CursorRow::completed);
        }

        @Test
        void failedMessageIsForgottenOnceItIsDelivered() {
            var partition = database.newPartitionWith(3);
            var request = LeaseRequest.of(partition, GROUP, 3);
            api.lease(request);
            api.nack(List.of(Holder.of(request, "{}")), Failed.of(0));

            assertThat(api.lease(true, LeaseRequest.of(partition, GROUP, 3)).getFirst().end()).isEqualTo(3);

            assertThat(CursorRow.of(api, partition, GROUP).isFailing()).isFalse();
            assertThat(Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?",
                    partition.id())).isZero();
        }

        @Test
        void failedMessageStillWaitsForItsRetry() {
            var partition = database.newPartitionWith(3, Map.of("retry_delay_ms", 60_000));
            var request = LeaseRequest.of(partition, GROUP, 3);
            api.lease(request);
            api.nack(List.of(Holder.of(request, "{}")), Failed.of(1));

            assertThat(api.lease(true, LeaseRequest.of(partition, GROUP, 3)).getFirst().end()).isEqualTo(1);

            assertThat(api.lease(true, LeaseRequest.of(partition, GROUP, 3)).getFirst().status()).isEqualTo("waiting");
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

        api.lease(LeaseRequest.of(partitions.get(0), GROUP, 5).as(lease));
        api.lease(LeaseRequest.of(partitions.get(1), GROUP, 5).as(lease));

        assertThat(api.list(rows -> rows.getObject(1, UUID.class),
                "select partition_id from " + api.schema() + ".partitions_of(array[?]::uuid[])", lease))
                .containsExactlyInAnyOrder(partitions.get(0).id(), partitions.get(1).id());
    }

    @Test
    void expiredPartitionCanBeLeasedAfterExpire() {
        var partition = database.newPartitionWith(1);
        lease(LeaseRequest.of(partition, GROUP, 1).forSeconds(0));
        api.expire(new Reader(partition.id(), GROUP));

        assertThat(lease(LeaseRequest.of(partition, GROUP, 1)).status()).isEqualTo("leased");
    }

    private LeaseResult lease(LeaseRequest request) {
        return api.lease(request).getFirst();
    }
}
