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
    void nothingAskedGivesNoRow() {
        assertThat(api.expire()).isEmpty();
    }

    @Test
    void leaseThatRanOutIsEndedAndItsUnfinishedMessagesAreCharged() {
        var partition = database.newPartitionWith(3);
        var wish = Wish.of(partition, GROUP, 3);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[0,1)}"));

        assertThat(expire(partition)).isTrue();

        assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree).returns(1L,
                CursorRow::committed);
        assertThat(api.lease(Wish.of(partition, GROUP, 3)).getFirst()).returns(1L, Given::first).returns(3L, Given::end)
                .returns(1, given -> given.attempts(1)).returns(1, given -> given.attempts(2));
    }

    @Test
    void liveLeaseGoesOn() {
        var partition = database.newPartitionWith(1);
        api.lease(Wish.of(partition, GROUP, 1));

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
        api.lease(Wish.of(partition, GROUP, 1));

        assertThat(expire(partition)).isTrue();
        assertThat(expire(partition)).isFalse();

        assertThat(api.lease(Wish.of(partition, GROUP, 1)).getFirst().attempts()).isEqualTo(1);
    }

    @Test
    void messageThatTakesEveryConsumerDownIsBuried() {
        var partition = database.newPartitionWith(2, Map.of("retry_limit", 1));

        for (int delivery = 0; delivery < 2; delivery++) {
            assertThat(api.lease(Wish.of(partition, GROUP, 1)).getFirst().first()).isZero();
            expire(partition);
        }

        assertThat(DeadLetter.of(api, partition)).containsExactly(new DeadLetter(GROUP, 0, Batch.line("m0"),
                "the lease ran out before the message was acknowledged", 2));
        assertThat(CursorRow.of(api, partition, GROUP)).returns(1L, CursorRow::committed).returns(1L, CursorRow::dead)
                .returns(0L, CursorRow::completed).returns(true, CursorRow::isFree);
    }

    @Test
    void messageIsNotBuriedForABatchItWasOnlyPartOf() {
        var partition = database.newPartitionWith(3, Map.of("retry_limit", 0));
        api.lease(Wish.of(partition, GROUP, 3));

        expire(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
        assertThat(api.lease(Wish.of(partition, GROUP, 3)).getFirst()).returns(0L, Given::first).returns(1L,
                Given::end);
        expire(partition);
        assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::offset).containsExactly(0L);
    }

    @Test
    void batchIsNotBuriedByAWordThatAnOlderReleaseLeftBehind() {
        var partition = database.newPartitionWith(3, Map.of("retry_limit", 0));
        api.lease(Wish.of(partition, GROUP, 3));
        api.everywhere("update cursor set is_alone = true where partition_id = '" + partition.id() + "'");

        expire(partition);

        assertThat(DeadLetter.of(api, partition)).isEmpty();
    }

    @Test
    void messageBehindTheLeaseIsNotChargedForMessagesThatWereRemoved() {
        var partition = database.newPartitionWith(5);
        api.lease(Wish.of(partition, GROUP, 2));
        api.everywhere("update partition set tail = 3 where id = '" + partition.id() + "'");

        assertThat(expire(partition)).isTrue();

        assertThat(api.lease(Wish.of(partition, GROUP, 2)).getFirst()).returns(3L, Given::first).returns(5L, Given::end)
                .returns(0, Given::attempts);
    }

    @Test
    void finishedMessageIsNotChargedForThoseRemovedBeforeIt() {
        var partition = database.newPartitionWith(5);
        var wish = Wish.of(partition, GROUP, 5);
        api.lease(wish);
        api.ack(Holder.of(wish, "{[2,4)}"));
        api.everywhere("update partition set tail = 2 where id = '" + partition.id() + "'");

        expire(partition);

        assertThat(api.lease(Wish.of(partition, GROUP, 5)).getFirst()).returns(4L, Given::first)
                .returns(1, Given::attempts);
    }

    @Test
    void severalAreEndedAtOnce() {
        var one = database.newPartitionWith(1, Map.of("retry_limit", 0));
        var live = database.newPartitionWith(1);
        var other = database.newPartitionWith(1);
        for (var partition : java.util.List.of(one, live, other)) {
            api.lease(Wish.of(partition, GROUP, 1).forSeconds(partition == live ? 60 : 0));
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
