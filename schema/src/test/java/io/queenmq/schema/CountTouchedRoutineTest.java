package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** count_touched counts exactly what was recorded. */
class CountTouchedRoutineTest {
    private static final String GROUP = "workers";

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();
    private final Counting counting = new Counting(api);

    @BeforeEach
    void countStoredMessages() {
        counting.count();
    }

    @Test
    void touchedPartitionIsCounted() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.count();
        assertThat(total()).isZero();

        counting.touch(partition.id());
        counting.count();

        assertThat(total()).isEqualTo(3);
        assertThat(Rows.number(api.connection(), "select count(*) from queen.touched_partitions")).isZero();
    }

    @Test
    void aQueueThatIsNamedHasAllItsPartitionsCounted() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        api.everywhere("select " + api.schema() + ".touch_partitions('{}', array['" + partition.queue()
                + "', 'no such queue'])");
        counting.count();

        assertThat(total()).isEqualTo(3);
    }

    @Test
    void touchDuringACountIsCountedByTheNextOne() {
        var other = database.newSession();
        other.execute("begin");
        assertThat(new Counting(other).turn()).isEqualTo("done");

        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.touch(partition.id());
        assertThat(counting.turn()).isEqualTo("busy");
        other.execute("commit");
        assertThat(total()).isZero();

        counting.count();
        assertThat(total()).isEqualTo(3);
    }

    @Test
    void aFailedCountLeavesAllPartitionsToTheNextCount() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.touch(partition.id());
        var other = database.newSession();
        other.execute("begin");
        assertThat(new Counting(other).turn()).isEqualTo("done");
        other.execute("rollback");

        counting.count();

        assertThat(total()).isEqualTo(3);
    }

    @Test
    void deletedTouchedPartitionIsIgnored() {
        counting.touch(partition.id());
        api.deleteQueue(partition.queue());
        counting.count();

        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition_depth where queue_id = ?",
                partition.queueId())).isZero();
    }

    @Test
    void sumsOfAMomentAgoAreNotCountedAgain() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.touch(partition.id());

        assertThat(api.everyShard(rows -> rows.getString(1), "select " + api.schema() + ".count_touched(3600000)"))
                .containsOnly("done");

        assertThat(total()).isZero();
    }

    @Test
    void subscribedGroupCountsInPartitionsWithoutACursor() {
        api.subscribe(GROUP, partition.queue(), "", "", "all", null);
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.touch(partition.id());
        counting.count();

        assertThat(groups()).containsExactly("workers: 2 partitions, 1 lagging, 3 pending");
    }

    @Test
    void aDeletedGroupIsNotCountedAndANewGroupOfItsNameBeginsAtZero() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        api.openCursors(new Opening(partition.id(), GROUP, null));
        counting.touch(partition.id());
        counting.count();
        assertThat(groups()).containsExactly("workers: 1 partitions, 1 lagging, 3 pending");

        api.operate("{}", "delete_group", "me", GROUP, partition.queue(), true);
        assertThat(groups()).isEmpty();
        api.openCursors(new Opening(partition.id(), GROUP, null));
        counting.touch(partition.id());
        counting.count();

        assertThat(groups()).containsExactly("workers: 1 partitions, 1 lagging, 3 pending");
    }

    @Test
    void expiredLeaseIsCountedWithoutATouch() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        api.openCursors(new Opening(partition.id(), GROUP, null));
        var request = LeaseRequest.of(partition, GROUP, 2).forSeconds(1);
        api.lease(request);
        counting.touch(partition.id());
        counting.count();
        long leased = processing();

        api.execute("select pg_sleep(1.1)");
        counting.count();

        assertThat(leased).isEqualTo(2);
        assertThat(processing()).isZero();
        assertThat(api.ack(Holder.of(request, "{[0,1)}")).getFirst().isLive()).isFalse();
    }

    @Test
    void manyRowsOfTheSamePartitionsAreOneTurn() {
        for (int i = 0; i < 50; i++) {
            counting.touch(partition.id());
        }

        assertThat(counting.turn()).isEqualTo("done");
    }

    private long total() {
        return Rows.number(api.connection(), "select total from queen.queue_depth where queue_id = ?",
                partition.queueId());
    }

    private long processing() {
        return Rows.number(api.connection(), "select processing from queen.queue_depth where queue_id = ?",
                partition.queueId());
    }

    private List<String> groups() {
        return Rows.strings(api.connection(), """
                select format('%s: %s partitions, %s lagging, %s pending', group_name, partitions, lagging, pending)
                from queen.group_depth where queue_id = ? order by 1""", partition.queueId());
    }
}
