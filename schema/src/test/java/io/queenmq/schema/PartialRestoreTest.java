package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Appended;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.CaughtUp;
import io.queenmq.schema.Api.Opening;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A restore may bring back the key of a partition or cursor without its row. */
class PartialRestoreTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    @DisplayName("a partition of which only the key is left continues after its stored segments")
    void partitionIsRestoredFromItsSegments() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a", "b")));
        api.push(new Append(partition, 2, Batch.of("c")));
        lose(partition);

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1))).singleElement().returns(3L, CaughtUp::head)
                .returns(0L, CaughtUp::known).returns(false, CaughtUp::isNew);
        assertThat(api.push(new Append(partition, 3, Batch.of("d")))).singleElement().returns(3L, Appended::base);

        api.openCursors(new Opening(partition.id(), GROUP, null));
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 10))).singleElement().returns(0L, LeaseResult::first)
                .returns(4L, LeaseResult::end);
        assertThat(
                Rows.number(api.connection(), "select count(*) from queen.partition_key where id = ?", partition.id()))
                .isOne();
    }

    @Test
    void noOffsetReachedByAGroupIsReused() {
        var partition = database.newPartitionWith(3);
        api.lease(true, LeaseRequest.of(partition, GROUP, 3));
        api.openCursors(new Opening(partition.id(), "slow", null));
        api.everywhere("delete from segment where partition_id = '" + partition.id() + "'");
        lose(partition);

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1))).singleElement().returns(3L, CaughtUp::head);
        api.push(new Append(partition, 3, Batch.of("d")));

        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 10))).singleElement().returns(3L, LeaseResult::first);
        assertThat(api.lease(LeaseRequest.of(partition, "slow", 10))).as("lost messages do not block delivery")
                .singleElement().returns(4L, LeaseResult::end);
    }

    @Test
    void offsetsWhoseMessagesAreLostCountAsRemoved() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a")));
        api.push(new Append(partition, 1, Batch.of("b")));
        api.push(new Append(partition, 2, Batch.of("c")));
        api.everywhere("delete from segment where base = 1 and partition_id = '" + partition.id() + "'");
        lose(partition);

        api.catchUp(100, 3600, CatchUp.of(partition, -1));

        assertThat(Rows.strings(api.connection(),
                "select removed::text || tail || head from queen.partition where id = ?", partition.id()))
                .containsExactly("{[1,2)}03");
    }

    @Test
    void severalServersRestoreItOnce() {
        var partition = database.newPartitionWith(2);
        lose(partition);
        var other = database.newSession();
        other.execute("begin");
        other.catchUp(100, 3600, CatchUp.of(partition, -1));

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1))).as("it cannot be created yet").singleElement()
                .returns(null, CaughtUp::head);
        other.execute("commit");

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1))).singleElement().returns(2L, CaughtUp::head);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where id = ?", partition.id()))
                .isOne();
    }

    @Test
    void partitionOfADeletedQueueReturnsNoRow() {
        var partition = new Partition(UUID.randomUUID(), "gone", UUID.randomUUID(), "a");
        api.in(partition, "insert into partition_key (id, queue_id, name) values ('" + partition.id() + "', '"
                + partition.queueId() + "', 'a')");

        assertThat(api.catchUp(100, 3600, CatchUp.of(partition, -1))).isEmpty();
    }

    @Test
    void aPushInATransactionOfAUserRestoresThePartition() {
        var partition = database.newPartition();
        api.push(new Append(partition, 0, Batch.of("a")));
        api.everywhere("update partition_key set id = " + api.schema() + ".partition_id(queue_id, name) where id = '"
                + partition.id() + "'");
        api.everywhere("delete from segment where partition_id = '" + partition.id() + "'");
        lose(partition);

        assertThat(Rows.strings(api.connection(),
                "select queen.push('" + partition.queue() + "', '" + partition.name() + "', '{}'::text)"))
                .containsExactly("queued");
    }

    @Test
    void aCursorWithOnlyAKeyIsOpenedAgain() {
        var partition = database.newPartitionWith(2);
        api.openCursors(new Opening(partition.id(), GROUP, null));
        api.everywhere("delete from cursor where partition_id = '" + partition.id() + "'");

        api.openCursors(new Opening(partition.id(), GROUP, null));

        assertThat(CursorRow.of(api, partition, GROUP).committed()).isZero();
        assertThat(api.lease(LeaseRequest.of(partition, GROUP, 10))).singleElement().returns(2L, LeaseResult::end);
    }

    private void lose(Partition partition) {
        api.everywhere("delete from partition where id = '" + partition.id() + "'");
    }
}
