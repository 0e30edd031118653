package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Failed;
import io.queenmq.schema.Api.Holder;
import io.queenmq.schema.Api.Opening;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeleteQueueRoutineTest {
    private static final List<String> PARTITION_TABLES = List.of("queen.segment", "queen.cursor", "queen.failure",
            "queen.dead_letter");

    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void missingQueueIsNotThere() {
        assertThat(api.deleteQueue("never was")).isFalse();
    }

    @Test
    void allRowsOfTheQueueAreDeleted() {
        var partition = usedPartition();
        long version = Rows.number(api.connection(), "select version from queen.catalog");

        assertThat(api.deleteQueue(partition.queue())).isTrue();

        for (var table : PARTITION_TABLES) {
            assertThat(rowsIn(table, partition)).as(table).isZero();
        }
        assertThat(Rows.number(api.connection(), "select count(*) from queen.partition where queue_id = ?",
                partition.queueId())).isZero();
        assertThat(Rows.number(api.connection(), "select version from queen.catalog")).isEqualTo(version + 1);
        assertThat(api.deleteQueue(partition.queue())).isFalse();
    }

    @Test
    void otherQueuesStay() {
        var other = usedPartition();

        api.deleteQueue(usedPartition().queue());

        for (var table : PARTITION_TABLES) {
            assertThat(rowsIn(table, other)).as(table).isPositive();
        }
    }

    @Test
    void subscriptionsToTheQueueAreDeletedAndThoseToItsNamespaceStay() {
        var partition = database.newPartitionWith(1);
        api.subscribe("faithful", partition.queue(), "", "", "all", null);
        api.subscribe("faithful", "", "shop", "", "all", null);
        api.operate("{paused}", "pause_group", "me", "faithful", partition.queue(), true);

        api.deleteQueue(partition.queue());

        assertThat(Rows.number(api.connection(), "select count(*) from queen.subscription where queue_name = ?",
                partition.queue())).isZero();
        assertThat(Rows.number(api.connection(), "select count(*) from queen.group_pause where queue_id = ?",
                partition.queueId())).isZero();
        assertThat(api.subscribe("faithful", partition.queue(), "", "", "new", null).mode()).isEqualTo("new");
        assertThat(api.subscribe("faithful", "", "shop", "", "new", null).mode()).isEqualTo("all");
    }

    @Test
    void acknowledgmentInATransactionFailsIfTheQueueWasDeleted() {
        var partition = database.newPartition();
        new OperatorRoutines(api).fill(partition, "t1");
        var request = LeaseRequest.of(partition, "workers", 1);
        api.openCursors(new Opening(partition.id(), "workers", null));
        api.lease(request);
        var acknowledge = "select queen.ack('" + partition.id() + "', 'workers', '" + request.lease() + "', 't1')";
        var mine = database.newSession();
        mine.execute("begin");
        mine.execute(acknowledge);

        api.deleteQueue(partition.queue());

        assertThatThrownBy(() -> mine.execute("commit"))
                .hasMessageContaining("the queue " + partition.queue() + " was deleted");
        assertThatThrownBy(() -> api.execute(acknowledge)).hasMessageContaining("its queue was deleted");
    }

    @Test
    void aPartitionOfADeletedQueueRejectsPushes() {
        var partition = database.newPartitionWith(1);
        api.deleteQueue(partition.queue());

        assertThat(api.push(new Append(partition, 1, Batch.of("late")))).isEmpty();
        assertThat(api.catchUp(10, 10, CatchUp.of(partition, 1))).isEmpty();
        assertThat(api.openCursors(new Opening(partition.id(), "workers", null))).isEmpty();
        assertThat(api.lease(LeaseRequest.of(partition, "workers", 1))).isEmpty();
    }

    /** A partition with a row in every table. */
    private Partition usedPartition() {
        var partition = database.newPartitionWith(3);
        var request = LeaseRequest.of(partition, "workers", 3);
        api.lease(request);
        api.nack(List.of(Holder.of(request, "{}")), new Failed(1, 0, "dlq", null), Failed.of(1));
        return partition;
    }

    private long rowsIn(String table, Partition partition) {
        return Rows.number(api.connection(), "select count(*) from " + table + " where partition_id = ?",
                partition.id());
    }
}
