package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.queenmq.schema.Api.Append;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A deletion of a queue may wait for counting, but counting never waits for the queue, so they cannot deadlock. */
class CountingLocksTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();
    private final Counting counting = new Counting(api);

    @Test
    void countingDoesNotWaitForADeletionThatHoldsTheQueue() {
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.count();
        Api deleting = database.newSession();
        deleting.execute("begin");
        deleting.execute("select from queen.queue where id = '" + partition.queueId() + "' for update");

        // The queue is recorded and its partition touched: counting writes the sums of the queue twice.
        api.push(new Append(partition, 3, Batch.ofSize(2)));
        api.everywhere("select " + api.schema() + ".touch_partitions('{}', array['" + partition.queue() + "'])");
        counting.touch(partition.id());
        api.execute("set lock_timeout = '5s'");
        assertThatCode(counting::count).doesNotThrowAnyException();

        deleting.execute("rollback");
        api.execute("reset lock_timeout");
        assertThat(rows("queue_depth")).isOne();
    }

    @Test
    void aDeletionWaitsForCountingAndNothingIsLeft() {
        api.subscribe("g", partition.queue(), "", "", "all", null);
        counting.count();
        api.push(new Append(partition, 0, Batch.ofSize(3)));
        counting.touch(partition.id());
        Api other = database.newSession();
        other.execute("begin");
        new Counting(other).turn();

        var deletion = Step.start(database.newSession(), session -> {
            session.deleteQueue(partition.queue());
            return true;
        }).untilItWaits(api);
        other.execute("commit");
        deletion.result();

        for (String table : new String[]{"queue_depth", "group_depth", "group_age"}) {
            assertThat(rows(table)).as(table).isZero();
        }
    }

    @Test
    void sumsOfADeletedQueueAreRemovedByTheNextTurn() {
        Api other = database.newSession();
        other.execute("begin");
        other.deleteQueue(partition.queue());
        counting.touch(partition.id());
        counting.turn();
        other.execute("commit");

        counting.count();

        assertThat(rows("queue_depth")).isZero();
    }

    private long rows(String table) {
        return Rows.number(api.connection(), "select count(*) from queen." + table + " where queue_id = ?",
                partition.queueId());
    }
}
