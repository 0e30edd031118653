package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import io.queenmq.schema.Api.Renewal;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** seek_partition and seek_queue: the cursor moves at once, and existing leases end. */
class SeekRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void seekWithoutATargetMovesToTheEnd() {
        var partition = partition(5);

        assertThat(seekPartition(partition, false, false, null, null)).isEqualTo("5");
        assertThat(CursorRow.of(api, partition, GROUP).committed()).isEqualTo(5);
    }

    @Test
    void aPartitionIsSoughtToAnyOffsetItKeeps() {
        var partition = partition(5);

        assertThat(seekPartition(partition, false, false, null, 3L)).isEqualTo("3");
        assertThat(seekPartition(partition, false, true, null, null)).isEqualTo("0");
        assertThat(seekPartition(partition, true, false, null, null)).isEqualTo("5");
        assertThatThrownBy(() -> seekPartition(partition, false, false, null, 6L)).hasMessageContaining("from 0 to 5");
    }

    @Test
    void aSeekEndsTheLeaseAndDeletesFailuresAndOutOfOrderAcks() {
        var partition = partition(5, Map.of("retry_delay_ms", 60_000));
        var failing = LeaseRequest.of(partition, GROUP, 3);
        api.lease(failing);
        api.nack(List.of(Holder.of(failing, "{[1,2)}")), Failed.of(0));
        assertThat(CursorRow.of(api, partition, GROUP).isFailing()).isTrue();

        seekPartition(partition, false, true, null, null);

        var cursor = CursorRow.of(api, partition, GROUP);
        assertThat(cursor.acked()).isNull();
        assertThat(cursor.isFailing()).isFalse();
        assertThat(cursor.retryAt()).isNull();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.failure where partition_id = ?",
                partition.id())).isZero();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst().end()).isEqualTo(5);
    }

    @Test
    void acksAndRenewalsWithTheOldLeaseHaveNoEffect() {
        var partition = partition(5);
        var old = LeaseRequest.of(partition, GROUP, 5);
        api.lease(old);
        seekPartition(partition, false, false, null, 2L);

        assertThat(api.ack(Holder.of(old, "{[0,5)}")).getFirst().isLive()).isFalse();
        assertThat(api.renew(new Renewal(old.lease(), 60))).isEmpty();
        assertThat(api.release(Holder.of(old, "{}"))).isEmpty();
        assertThat(api.nack(List.of(Holder.of(old, "{}")), Failed.of(2)).items()).isEmpty();
        assertThat(CursorRow.of(api, partition, GROUP).committed()).isEqualTo(2);
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 9)).getFirst().first()).isEqualTo(2);
    }

    @Test
    void aTimeSelectsTheFirstMessageStrictlyAfterIt() {
        var partition = partition(1);
        for (int i = 1; i < 40; i++) {
            api.push(new Append(partition, i, Batch.of("m" + i)));
        }
        for (int i : List.of(0, 7, 19, 38)) {
            assertThat(seekPartition(partition, false, false, createdAt(partition, i), null)).as("after " + i)
                    .isEqualTo("" + (i + 1));
            assertThat(seekPartition(partition, false, false, createdAt(partition, i).minusNanos(1000), null))
                    .isEqualTo("" + i);
        }
        assertThat(seekPartition(partition, false, false, createdAt(partition, 39), null)).isEqualTo("40");
    }

    @Test
    void aMomentNeverLeadsBehindTheTail() {
        var partition = partition(1);
        for (int i = 1; i < 10; i++) {
            api.push(new Append(partition, i, Batch.ofSize(1)));
        }
        api.everywhere("update partition set tail = 4 where id = '" + partition.id() + "'");
        api.everywhere("delete from segment where base < 4 and partition_id = '" + partition.id() + "'");

        assertThat(seekPartition(partition, false, false, OffsetDateTime.parse("2000-01-01T00:00:00Z"), null))
                .isEqualTo("4");
        assertThat(seekPartition(partition, false, false, createdAt(partition, 6), null)).isEqualTo("7");
    }

    /**
     * Each message is counted once, unless it is redelivered: then it is counted again, and skipped_count is reduced.
     */
    @Test
    void totalsEqualTheProgressOfTheCursor() {
        var partition = partition(10);
        api.lease(true, LeaseRequest.of(partition, GROUP, 6));
        seekPartition(partition, false, false, null, 2L);
        assertTotals(partition, 6, -4);

        api.lease(true, LeaseRequest.of(partition, GROUP, 3));
        assertTotals(partition, 9, -4);

        var held = LeaseRequest.of(partition, GROUP, 4);
        api.lease(held);
        api.ack(Holder.of(held, "{[7,8)}"));
        seekPartition(partition, true, false, null, null);
        assertTotals(partition, 10, 0);
    }

    @Test
    void seekMovesAllPartitionsOfAQueueWithOrWithoutCursors() {
        var partitions = database.newPartitions(3);
        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(4))));
        api.subscribe(GROUP, partitions.getFirst().queue(), "", "", "all", null);
        var held = LeaseRequest.of(partitions.getFirst(), GROUP, 2);
        api.openCursors(new Opening(partitions.getFirst().id(), GROUP, null));
        api.lease(held);

        assertThat(seekQueue("partitionsUpdated", partitions.getFirst(), true, false, null)).isEqualTo("3");

        assertThat(partitions)
                .allSatisfy(partition -> assertThat(CursorRow.of(api, partition, GROUP).committed()).isEqualTo(4));
        assertThat(api.ack(Holder.of(held, "{[0,2)}")).getFirst().isLive()).isFalse();
        assertThat(api.subscribe(GROUP, partitions.getFirst().queue(), "", "", "all", null).mode()).isEqualTo("new");
        assertThat(seekQueue("partitionsUpdated", partitions.getFirst(), false, true, null)).isEqualTo("3");
        assertThat(partitions)
                .allSatisfy(partition -> assertThat(CursorRow.of(api, partition, GROUP).committed()).isZero());
    }

    @Test
    void aQueueIsSoughtToAMomentInEachPartition() {
        var partitions = database.newPartitions(2);
        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(2))));
        api.push(new Append(partitions.getFirst(), 2, Batch.ofSize(2)));
        api.subscribe(GROUP, partitions.getFirst().queue(), "", "", "all", null);

        seekQueue("success", partitions.getFirst(), false, false, createdAt(partitions.get(1), 0));

        assertThat(CursorRow.of(api, partitions.get(0), GROUP).committed()).isEqualTo(2);
        assertThat(CursorRow.of(api, partitions.get(1), GROUP).committed()).isEqualTo(2);
    }

    @Test
    void seekOfQueueModeBeforeTheFirstPop() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(3)));

        assertThat(api.operate("{partitionsUpdated}", "seek_queue", "me", "__QUEUE_MODE__", partition.queue(), true,
                false, null)).isEqualTo("1");
    }

    /** For any mode of the first pop, for existing and later partitions. */
    @Test
    void seekSetsTheStartOfAGroupBeforeItsFirstPop() {
        var partitions = database.newPartitions(2);
        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(2))));
        var first = partitions.getFirst();

        assertThat(seekQueue("partitionsUpdated", first, true, false, null)).isEqualTo("0");
        api.push(new Append(first, 2, Batch.ofSize(1)));
        assertThat(api.subscribe(GROUP, first.queue(), "", "", "all", null).mode()).isEqualTo("new");
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, null)));

        assertThat(CursorRow.of(api, partitions.get(0), GROUP).committed()).as("later messages are read").isEqualTo(2);
        assertThat(CursorRow.of(api, partitions.get(1), GROUP).committed()).isEqualTo(2);
        assertThat(seekQueue("partitionsUpdated", first, false, true, null)).as("the group reads the queue")
                .isEqualTo("2");
    }

    @Test
    void aLaterSeekReplacesAnEarlierOneBeforeTheFirstPop() {
        var partition = unreadPartition();
        seekQueue("success", partition, true, false, null);

        assertThat(seekQueue("partitionsUpdated", partition, false, true, null)).isEqualTo("0");

        assertThat(api.subscribe(GROUP, partition.queue(), "", "", "new", null).mode()).isEqualTo("all");
        api.openCursors(new Opening(partition.id(), GROUP, null));
        assertThat(CursorRow.of(api, partition, GROUP).committed()).isZero();
    }

    @Test
    void seekToATimeAppliesToLaterPartitions() {
        var partitions = database.newPartitions(2);
        api.push(new Append(partitions.getFirst(), 0, Batch.ofSize(1)));
        api.push(new Append(partitions.getFirst(), 1, Batch.ofSize(1)));
        var moment = createdAt(partitions.getFirst(), 0);
        seekQueue("success", partitions.getFirst(), false, false, moment);

        api.push(new Append(partitions.get(1), 0, Batch.ofSize(3)));
        var inForce = api.subscribe(GROUP, partitions.getFirst().queue(), "", "", "new", null);
        partitions.forEach(partition -> api.openCursors(new Opening(partition.id(), GROUP, inForce.fromAt())));

        assertThat(inForce.mode()).isEqualTo("timestamp");
        assertThat(CursorRow.of(api, partitions.get(0), GROUP).committed()).isEqualTo(1);
        assertThat(CursorRow.of(api, partitions.get(1), GROUP).committed()).isZero();
    }

    @Test
    void seekAppliesToAGroupSubscribedByNamespace() {
        var sought = database.newPartitionWith(3, Map.of("namespace", "sought"));
        var other = database.newPartitionWith(3, Map.of("namespace", "sought"));
        seekQueueOf("late", sought, false, true);

        api.subscribe("late", "", "sought", "", "new", null);
        api.openCursors(new Opening(sought.id(), "late", OffsetDateTime.now()));

        assertThat(CursorRow.of(api, sought, "late").committed()).isZero();
        assertThat(CursorRow.of(api, other, "late").committed()).isEqualTo(3);
    }

    @Test
    void changedSubscriptionAppliesToLaterPartitions() {
        var partition = unreadPartition();
        seekQueue("success", partition, false, true, null);
        var moment = OffsetDateTime.parse("2100-01-01T00:00:00Z");

        api.operate("{rowsUpdated}", "change_subscription", "me", GROUP, moment);

        assertThat(api.subscribe(GROUP, partition.queue(), "", "", "all", null)).returns("timestamp",
                Api.Subscription::mode);
        assertThat(CursorRow.of(api, partition, GROUP).committed()).as("a cursor stays").isZero();
    }

    @Test
    void deletionOfAGroupDeletesItsSeek() {
        var partition = unreadPartition();
        seekQueue("success", partition, true, false, null);

        api.operate("{success}", "delete_group", "me", GROUP, partition.queue(), true);

        assertThat(api.subscribe(GROUP, partition.queue(), "", "", "all", null).mode()).isEqualTo("all");
        api.openCursors(new Opening(partition.id(), GROUP, null));
        assertThat(CursorRow.of(api, partition, GROUP).committed()).isZero();
    }

    @Test
    void seekOfOnePartitionBeforeTheFirstPop() {
        var partitions = database.newPartitions(2);
        partitions.forEach(partition -> api.push(new Append(partition, 0, Batch.ofSize(4))));

        assertThat(seekPartition(partitions.getFirst(), false, false, null, 1L)).isEqualTo("1");

        api.subscribe(GROUP, partitions.getFirst().queue(), "", "", "new", null);
        assertThat(CursorRow.of(api, partitions.get(0), GROUP).committed()).isEqualTo(1);
        assertThat(CursorRow.of(api, partitions.get(1), GROUP).committed()).as("the position of its first pop")
                .isEqualTo(4);
    }

    @Test
    void aQueueOrPartitionThatIsNotThereIsMissing() {
        assertThat(api.operate("{success}", "seek_queue", "me", GROUP, "no-such-queue", true, false, null)).isNull();
        assertThat(api.operate("{success}", "seek_partition", "me", GROUP, unreadPartition().queue(), "nowhere", true,
                false, null, null)).isNull();
    }

    @Test
    void noneOrTwoTargetsAreRejected() {
        var partition = partition(1);

        assertThatThrownBy(() -> seekQueue("success", partition, false, false, null)).extracting("state")
                .isEqualTo("QN400");
        assertThatThrownBy(() -> seekQueue("success", partition, true, true, null)).extracting("state")
                .isEqualTo("QN400");
        assertThatThrownBy(() -> seekPartition(partition, true, false, null, 0L)).extracting("state")
                .isEqualTo("QN400");
    }

    @Test
    void everySeekIsAuditedAndRevisesTheQueue() {
        var partition = partition(5);
        seekPartition(partition, false, false, null, 2L);
        seekQueue("success", partition, true, false, null);

        assertThat(Rows.strings(api.connection(),
                "select actor || ' ' || action || ' ' || (after ->> 'offset') from queen.audit where target like ?",
                "%" + partition.name() + " of queue " + partition.queue())).containsExactly("me seek 2");
        assertThat(Rows.strings(api.connection(), "select after ->> 'toEnd' from queen.audit where target = ?",
                "group " + GROUP + " on queue " + partition.queue())).containsExactly("true");
        assertThat(Rows.number(api.connection(), "select revision from queen.queue where id = ?", partition.queueId()))
                .isEqualTo(1);
        assertThat(Rows.number(api.connection(),
                "select count(*) from queen.revised_partition r, queen.catalog c where r.partition_id = ? and r.version <= c.version",
                partition.id())).isEqualTo(1);
    }

    private Partition unreadPartition() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        return partition;
    }

    private void seekQueueOf(String group, Partition partition, boolean toEnd, boolean toBeginning) {
        api.operate("{success}", "seek_queue", "me", group, partition.queue(), toEnd, toBeginning, null);
    }

    private Partition partition(int messages) {
        return partition(messages, Map.of("retry_delay_ms", 0));
    }

    private Partition partition(int messages, Map<String, Object> options) {
        var partition = database.newPartitionWith(messages, options);
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);
        return partition;
    }

    private void assertTotals(Partition partition, long completed, long skipped) {
        var cursor = CursorRow.of(api, partition, GROUP);
        assertThat(cursor.completed()).isEqualTo(completed);
        assertThat(Rows.number(api.connection(), "select skipped_count from queen.cursor where partition_id = ?",
                partition.id())).isEqualTo(skipped);
        assertThat(cursor.completed() + cursor.dead() + skipped).isEqualTo(cursor.committed());
    }

    private String seekPartition(Partition partition, boolean toEnd, boolean toBeginning, OffsetDateTime after,
            Long offset) {
        return api.operate("{cursorMovedTo}", "seek_partition", "me", GROUP, partition.queue(), partition.name(), toEnd,
                toBeginning, after, offset);
    }

    private String seekQueue(String field, Partition partition, boolean toEnd, boolean toBeginning,
            OffsetDateTime after) {
        return api.operate("{" + field + "}", "seek_queue", "me", GROUP, partition.queue(), toEnd, toBeginning, after);
    }

    private OffsetDateTime createdAt(Partition partition, long base) {
        return api.list(rows -> rows.getObject(1, OffsetDateTime.class),
                "select created_at from queen.segment where partition_id = ? and base = ?", partition.id(), base)
                .getFirst();
    }
}
