package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The messages that retention removes, and those it must never remove (W16). */
class RetentionTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);

    @Nested
    class ByAge {
        private final Partition partition = partition(Map.of("retention_enabled", true, "retention_s", 100));

        @Test
        void oldSegmentsAreRemovedReadOrUnread() {
            push(partition, 3);
            upkeep.age(partition, 101);
            push(partition, 2);

            assertThat(upkeep.removed(partition)).isEqualTo("3/0");

            assertThat(upkeep.kept(partition)).containsExactly(3L);
            assertThat(upkeep.tail(partition)).isEqualTo(3);
            assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::committed)
                    .returns(3L, CursorRow::expired).returns(0L, CursorRow::completed).returns(0L, CursorRow::dead);
            assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst()).returns(3L, LeaseResult::first)
                    .returns(5L, LeaseResult::end);
            assertThat(upkeep.minutes(partition)).containsExactly("3/0/0");
            assertThat(upkeep.dueIn(partition, "retention")).isBetween(60L, 100L);
        }

        @Test
        void nothingIsRemovedBeforeItsAge() {
            push(partition, 3);
            upkeep.age(partition, 50);

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");
            assertThat(upkeep.kept(partition)).containsExactly(0L);
        }

        /** W16: leased messages stay until the lease ends, and the holder can finish them. */
        @Test
        void nothingUnderALiveLeaseIsRemoved() {
            push(partition, 2);
            push(partition, 2);
            var request = LeaseRequest.of(partition, GROUP, 3);
            api.lease(request);
            api.ack(Holder.of(request, "{[0,1)}"));
            upkeep.age(partition, 1000);

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");
            assertThat(upkeep.dueIn(partition, "retention")).as("looked at when the lease ends").isBetween(10L, 60L);

            assertThat(api.ack(Holder.of(request, "{[0,3)}")).getFirst().isLive()).isTrue();
            upkeep.age(partition, 60);
            assertThat(upkeep.removed(partition)).isEqualTo("4/0");
            assertThat(CursorRow.of(api, partition, GROUP)).returns(3L, CursorRow::completed)
                    .returns(1L, CursorRow::expired).returns(4L, CursorRow::committed);
        }

        @Test
        void messagesOfAnExpiredLeaseAreRemoved() {
            push(partition, 2);
            api.lease(LeaseRequest.of(partition, GROUP, 2));
            CursorRow.runOut(api, partition, GROUP);
            upkeep.age(partition, 101);

            assertThat(upkeep.removed(partition)).isEqualTo("2/0");
            assertThat(CursorRow.of(api, partition, GROUP)).returns(true, CursorRow::isFree)
                    .returns(2L, CursorRow::expired).returns(false, CursorRow::isFailing);
        }

        @Test
        void messagesFinishedAheadAreCountedOnce() {
            push(partition, 4);
            var request = LeaseRequest.of(partition, GROUP, 4);
            api.lease(request);
            api.ack(Holder.of(request, "{[1,2),[3,4)}"));
            api.release(Holder.of(request, "{}"));
            upkeep.age(partition, 101);

            upkeep.retain();

            assertThat(CursorRow.of(api, partition, GROUP)).returns(4L, CursorRow::committed)
                    .returns(2L, CursorRow::completed).returns(2L, CursorRow::expired).returns(null, CursorRow::acked);
        }

        @Test
        void lockedPartitionsAreSkippedUntilLater() {
            push(partition, 1);
            upkeep.age(partition, 101);
            var session = database.newSession();
            session.execute("begin");
            session.everywhere("select from cursor where partition_id = '" + partition.id() + "' for update");

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");
            session.execute("rollback");
            upkeep.age(partition, 2);

            assertThat(upkeep.removed(partition)).isEqualTo("1/0");
        }

        @Test
        void aRangeWithMoreRowsThanOneTransactionDeletesIsDeletedInParts() {
            for (int i = 0; i < 250; i++) {
                api.push(new Append(partition, i, Batch.ofSize(1)));
            }
            upkeep.age(partition, 101);
            upkeep.schedule("retention");

            assertThat(upkeep.applyRetention(10, 50).retention()).isBetween(1L, 150L);
            assertThat(upkeep.kept(partition)).isNotEmpty();
            upkeep.retain();
            assertThat(upkeep.kept(partition)).isEmpty();
        }

        /** W17: a dead letter is a copy. */
        @Test
        void deadLettersSurviveRetention() {
            push(partition, 2);
            var request = LeaseRequest.of(partition, GROUP, 2);
            api.lease(request);
            api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", "poison"));
            api.release(Holder.of(request, "{}"));
            upkeep.age(partition, 101);

            upkeep.retain();

            assertThat(upkeep.kept(partition)).isEmpty();
            assertThat(DeadLetter.of(api, partition)).extracting(DeadLetter::line).containsExactly(Batch.line("m0"));
        }
    }

    @Nested
    class OfFinishedMessages {
        private final Partition partition = partition(Map.of("retention_enabled", true, "completed_retention_s", 100));

        @Test
        void onlyMessagesFinishedByEveryGroupAreRemoved() {
            push(partition, 2);
            push(partition, 2);
            push(partition, 2);
            api.openCursors(new Opening(partition.id(), "slow", null));
            finish(partition, GROUP, 6);
            finish(partition, "slow", 3);
            upkeep.age(partition, 101);

            assertThat(upkeep.removed(partition)).isEqualTo("0/2");

            assertThat(upkeep.kept(partition)).containsExactly(2L, 4L);
            assertThat(upkeep.minutes(partition)).containsExactly("0/2/0");
            assertThat(CursorRow.of(api, partition, "slow")).returns(3L, CursorRow::committed).returns(0L,
                    CursorRow::expired);
        }

        /** W16: a subscribed group without a cursor has not finished the partition. */
        @Test
        void groupsThatHaveNotTouchedThePartitionYetCount() {
            push(partition, 2);
            finish(partition, GROUP, 2);
            api.subscribe("late", partition.queue(), "", "", "all", null);
            upkeep.age(partition, 101);

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");

            api.openCursors(new Opening(partition.id(), "late", null));
            finish(partition, "late", 2);
            upkeep.age(partition, 100);
            assertThat(upkeep.removed(partition)).isEqualTo("0/2");
        }

        @Test
        void groupsOfTheQueuesNamespaceCount() {
            api.configure(partition.queue(), Map.of("namespace", "shop-" + partition.queue()));
            api.subscribe("late-" + partition.queue(), "", "shop-" + partition.queue(), "", "all", null);
            push(partition, 2);
            finish(partition, GROUP, 2);
            upkeep.age(partition, 101);

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        }

        @Test
        void queueModeInAnotherPartitionCountsAsAGroup() {
            var other = database.partition(partition.queueId(), partition.queue(), "other");
            api.catchUp(0, 0, Api.CatchUp.of(other, 0));
            api.openCursors(new Opening(other.id(), "__QUEUE_MODE__", null));
            push(partition, 2);
            finish(partition, GROUP, 2);
            upkeep.age(partition, 101);

            assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        }

        @Test
        void groupWithAStartTimeDoesNotRetainOlderMessages() {
            push(partition, 2);
            finish(partition, GROUP, 2);
            upkeep.age(partition, 1000);
            push(partition, 2);
            finish(partition, GROUP, 2);
            upkeep.age(partition, 1000);
            api.subscribe("late", partition.queue(), "", "", "timestamp", OffsetDateTime.now().minusSeconds(1500));

            assertThat(upkeep.removed(partition)).isEqualTo("0/2");
            assertThat(upkeep.kept(partition)).containsExactly(2L);
        }

        @Test
        void messagesWithoutGroupsAreNotFinished() {
            var unread = database.newPartition(Map.of("retention_enabled", true, "completed_retention_s", 100));
            api.push(new Append(unread, 0, Batch.ofSize(1)));
            upkeep.age(unread, 101);

            assertThat(upkeep.removed(unread)).isEqualTo("0/0");
        }

        /** A partition that waits for a slow group is checked at growing intervals. */
        @Test
        void aPartitionThatWaitsForASlowGroupIsCheckedRarely() {
            push(partition, 2);
            upkeep.age(partition, 101);
            upkeep.retain();
            assertThat(upkeep.dueIn(partition, "retention")).isBetween(20L, 60L);

            upkeep.age(partition, 1900);
            upkeep.retain();

            assertThat(upkeep.dueIn(partition, "retention")).isBetween(1850L, 1960L);
        }
    }

    @Test
    void withoutRetentionNoMessageIsRemoved() {
        var partition = partition(Map.of("retention_enabled", false, "retention_s", 100, "completed_retention_s", 100));
        push(partition, 2);
        upkeep.age(partition, 1000);

        assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        assertThat(upkeep.dueIn(partition, "retention")).isNull();
    }

    @Test
    void anotherRetentionCountsForPartitionsThatWereThereBefore() {
        var partition = partition(Map.of("retention_enabled", true, "retention_s", 10_000));
        push(partition, 2);
        upkeep.age(partition, 500);
        upkeep.retain();
        assertThat(upkeep.dueIn(partition, "retention")).isBetween(9_400L, 9_500L);

        api.configure(partition.queue(), Map.of("retention_s", 600));
        upkeep.retain();
        assertThat(upkeep.dueIn(partition, "retention")).isBetween(40L, 100L);

        api.configure(partition.queue(), Map.of("retention_s", 60));
        assertThat(upkeep.removed(partition)).isEqualTo("2/0");
    }

    @Test
    void retentionSwitchedOffAndOnAgainFindsItsPartitions() {
        var partition = partition(Map.of("retention_enabled", true, "retention_s", 100));
        push(partition, 2);
        upkeep.retain();
        api.configure(partition.queue(), Map.of("retention_enabled", false));
        upkeep.age(partition, 1000);
        assertThat(upkeep.removed(partition)).isEqualTo("0/0");
        assertThat(upkeep.dueIn(partition, "retention")).isNull();

        api.configure(partition.queue(), Map.of("retention_enabled", true));

        assertThat(upkeep.removed(partition)).isEqualTo("2/0");
    }

    @Test
    void partitionsPushedToLaterAreFound() {
        var partitions = database.newPartitions(3, Map.of("retention_enabled", true, "retention_s", 100));
        upkeep.retain();

        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(1))));
        upkeep.retain();
        partitions.forEach(partition -> upkeep.age(partition, 101));

        assertThat(upkeep.removed(partitions.getFirst())).isEqualTo("3/0");
    }

    /** A deletion of a queue waits for its partitions, so upkeep, which locks some, must not wait for the queue. */
    @Test
    void aQueueThatIsBeingDeletedDoesNotHoldUpUpkeep() {
        var partition = partition(Map.of("retention_enabled", true, "retention_s", 100, "max_wait_time_s", 100));
        push(partition, 2);
        upkeep.age(partition, 101);
        upkeep.schedule("eviction");
        upkeep.schedule("retention");
        var deleting = database.newSession();
        deleting.execute("begin");
        deleting.execute("select from queen.queue where id = '" + partition.queueId() + "' for update");

        var evicted = Step.start(database.newSession(), session -> new Upkeep(session).applyEviction(100, 1000));
        assertThat(evicted.result().evicted()).isPositive();
        var retained = Step.start(database.newSession(), session -> new Upkeep(session).applyRetention(100, 1000));
        assertThat(retained.result().completedRetention() + retained.result().retention()).isPositive();

        deleting.execute("rollback");
        assertThat(upkeep.kept(partition)).isEmpty();
    }

    @Test
    void aDeletedQueueLeavesNoRows() {
        var partition = partition(Map.of("retention_enabled", true, "retention_s", 100, "max_size", 10));
        push(partition, 1);
        upkeep.age(partition, 101);
        upkeep.retain();

        api.deleteQueue(partition.queue());

        for (var table : List.of("partition_upkeep", "queue_upkeep", "queue_size", "retention_minute")) {
            assertThat(Rows.number(api.connection(), "select count(*) from queen." + table + " where queue_id = ?",
                    partition.queueId())).as(table).isZero();
        }
    }

    private Partition partition(Map<String, Object> options) {
        var partition = database.newPartition(options);
        api.openCursors(new Opening(partition.id(), GROUP, null));
        return partition;
    }

    private void push(Partition partition, int messages) {
        long head = Rows.number(api.connection(), "select head from queen.partition where id = ?", partition.id());
        assertThat(api.push(new Append(partition, head, Batch.ofSize(messages)))).hasSize(1);
    }

    private void finish(Partition partition, String group, int messages) {
        var request = LeaseRequest.of(partition, group, messages);
        api.lease(request);
        api.ack(Holder.of(request, "{[0," + messages + ")}"));
        api.release(Holder.of(request, "{}"));
    }
}
