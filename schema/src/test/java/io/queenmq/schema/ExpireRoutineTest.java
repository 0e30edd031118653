package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Reader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExpireRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void emptyCallReturnsNoRow() {
        assertThat(api.expire()).isEmpty();
    }

    @Test
    void leaseThatRanOutIsEndedAndItsUnfinishedMessagesAreCharged() {
        var partition = database.newPartitionWith(3);
        var request = LeaseRequest.of(partition, GROUP, 3);
        api.lease(request);
        api.ack(Holder.of(request, "{[0,1)}"));

        assertThat(expire(partition)).isTrue();

        assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree).returns(1L,
                CursorRow::committed);
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst()).returns(1L, LeaseResult::first)
                .returns(3L, LeaseResult::end).returns(1, given -> given.attempts(1))
                .returns(1, given -> given.attempts(2));
    }

    @Test
    void liveLeaseIsNotEnded() {
        var partition = database.newPartitionWith(1);
        api.lease(LeaseRequest.of(partition, GROUP, 1));

        assertThat(api.expire(new Reader(partition.id(), GROUP))).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).isFree()).isFalse();
    }

    @Test
    void freePartitionIsNotCharged() {
        var partition = database.newPartitionWith(1);

        assertThat(api.expire(new Reader(partition.id(), GROUP), new Reader(partition.id(), "strangers"))).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).isFailing()).isFalse();
    }

    @Test
    void leaseIsEndedOnce() {
        var partition = database.newPartitionWith(1);
        api.lease(LeaseRequest.of(partition, GROUP, 1));

        assertThat(expire(partition)).isTrue();
        assertThat(expire(partition)).isFalse();

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().attempts()).isEqualTo(1);
    }

    @Test
    void messageThatCrashesEveryConsumerIsDeadLettered() {
        var partition = database.newPartitionWith(2, Map.of("retry_limit", 1));

        for (int delivery = 0; delivery < 2; delivery++) {
            assertThat(api.lease(LeaseRequest.of(partition, GROUP, 1)).getFirst().first()).isZero();
            expire(partition);
        }

        assertThat(DeadLetter.of(api, partition)).containsExactly(
                new DeadLetter(GROUP, 0, Batch.line("m0"), "the lease ran out before the message was acknowledged", 2));
        assertThat(CursorRow.of(api, partition, GROUP)).returns(1L, CursorRow::committed).returns(1L, CursorRow::dead)
                .returns(0L, CursorRow::completed).returns(true, CursorRow::isFree);
    }

    @Test
    void messageOfABatchIsNotDeadLettered() {
        var partition = database.newPartitionWith(3, Map.of("retry_limit", 0));
        api.lease(LeaseRequest.of(partition, GROUP, 3));

        expire(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 3)).getFirst()).returns(0L, LeaseResult::first)
                .returns(1L, LeaseResult::end);
        expire(partition);
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(0L);
    }

    @Test
    void staleIsAloneOfAnOlderReleaseDoesNotDeadLetterABatch() {
        var partition = database.newPartitionWith(3, Map.of("retry_limit", 0));
        api.lease(LeaseRequest.of(partition, GROUP, 3));
        api.everywhere("update cursor set is_alone = true where partition_id = '" + partition.id() + "'");

        expire(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
    }

    @Test
    void messageBehindTheLeaseIsNotChargedForMessagesThatWereRemoved() {
        var partition = database.newPartitionWith(5);
        api.lease(LeaseRequest.of(partition, GROUP, 2));
        api.everywhere("update partition set tail = 3 where id = '" + partition.id() + "'");

        assertThat(expire(partition)).isTrue();

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 2)).getFirst()).returns(3L, LeaseResult::first)
                .returns(5L, LeaseResult::end).returns(0, LeaseResult::attempts);
    }

    @Test
    void aFinishedMessageIsNotChargedForRemovedOnesBeforeIt() {
        var partition = database.newPartitionWith(5);
        var request = LeaseRequest.of(partition, GROUP, 5);
        api.lease(request);
        api.ack(Holder.of(request, "{[2,4)}"));
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        expire(partition);

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 5)).getFirst()).returns(4L, LeaseResult::first)
                .returns(1, LeaseResult::attempts);
    }

    @Test
    void severalAreEndedAtOnce() {
        var one = database.newPartitionWith(1, Map.of("retry_limit", 0));
        var live = database.newPartitionWith(1);
        var other = database.newPartitionWith(1);
        for (var partition : java.util.List.of(one, live, other)) {
            api.lease(LeaseRequest.of(partition, GROUP, 1).forSeconds(partition == live ? 60 : 0));
        }

        assertThat(api.expire(new Reader(one.id(), GROUP), new Reader(live.id(), GROUP), new Reader(other.id(), GROUP)))
                .containsExactly(1, 3);

        assertThat(DeadLetter.of(api, one)).hasSize(1);
        assertThat(DeadLetter.of(api, other)).isEmpty();
        assertThat(CursorRow.of(api, other, GROUP).isFailing()).isTrue();
    }

    private boolean expire(Partition partition) {
        CursorRow.runOut(api, partition, GROUP);
        return !api.expire(new Reader(partition.id(), GROUP)).isEmpty();
    }
}
