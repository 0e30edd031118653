package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.CatchUp;
import io.queenmq.schema.Api.Resolved;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listing the partitions of a queue by name returns each existing partition once. */
class PartitionPageTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();

    @Test
    void partitionsOfOneQueueAreReturnedByName() {
        var partitions = database.newPartitions(5);
        database.newPartitions(5);

        assertThat(names(partitions.getFirst().queueId(), "partition-00000", 3)).containsExactly("partition-00001",
                "partition-00002", "partition-00003");
    }

    @Test
    void partitionIsFoundWhenItsTransactionCommits() {
        var first = pushedTo(database.newPartition());
        var next = database.partition(first.queueId(), first.queue(), "next");
        var other = database.newSession();
        other.execute("begin");
        other.catchUp(1, 1, CatchUp.of(next, -1));
        other.push(new Append(next, 0, Batch.ofSize(1)));

        assertThat(pending(api, first.queueId())).containsExactly(first.name());
        other.execute("commit");
        assertThat(pending(api, first.queueId())).containsExactlyInAnyOrder(first.name(), "next");
    }

    @Test
    void partitionOfAFailedTransactionIsNotFoundAndCanBeCreated() {
        var first = pushedTo(database.newPartition());
        var next = database.partition(first.queueId(), first.queue(), "partition-00001");
        api.execute("begin");
        api.catchUp(1, 1, CatchUp.of(next, -1));
        api.execute("rollback");

        assertThat(names(first.queueId(), first.name(), 10)).isEmpty();
        api.catchUp(1, 1, CatchUp.of(next, -1));
        assertThat(names(first.queueId(), first.name(), 10)).containsExactly("partition-00001");
    }

    @Test
    void olderSnapshotSeesThePartitionsOfItsTime() {
        var partitions = database.newPartitions(3);
        partitions.forEach(this::pushedTo);
        var queueId = partitions.getFirst().queueId();
        var before = database.newSession();
        before.execute("begin isolation level repeatable read");
        before.execute("select from queen.queue");

        api.everywhere("delete from partition where id = '" + partitions.getFirst().id() + "'");
        var late = database.partition(queueId, partitions.getFirst().queue(), "late");
        api.catchUp(1, 1, CatchUp.of(late, -1));
        pushedTo(late);

        assertThat(pending(before, queueId)).containsExactlyInAnyOrder("partition-00000", "partition-00001",
                "partition-00002");
        assertThat(pending(api, queueId)).containsExactlyInAnyOrder("partition-00001", "partition-00002", "late");
    }

    @Test
    void partitionIsKnownByOneKeyAndTheSecondOneOfItsIdIsLeftOut() {
        var partition = database.newPartition();

        api.in(partition, "select %s.insert_partitions(array['%s'::uuid], array['%s'::uuid], array['another name'])"
                .formatted(api.schema(), partition.id(), partition.queueId()));

        assertThat(api.list(rows -> rows.getString(1), "select name from queen.partition where id = ?", partition.id()))
                .containsExactly(partition.name());
        assertThat(names(partition.queueId(), "", 10)).containsExactly("Default", partition.name());
    }

    private Partition pushedTo(Partition partition) {
        api.push(new Append(partition, 0, Batch.ofSize(1)));
        return partition;
    }

    private static List<String> pending(Api session, UUID queueId) {
        return session.resolve(queueId, "workers", null, "", 10).stream().filter(Resolved::isPending)
                .map(Resolved::name).toList();
    }

    private List<String> names(UUID queueId, String after, int partitions) {
        return api.list(rows -> rows.getString(1),
                "select name from " + api.schema() + ".partition_page(?, ?, " + partitions + ")", queueId, after);
    }
}
