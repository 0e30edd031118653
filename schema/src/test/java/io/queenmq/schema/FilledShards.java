package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.List;

/** Partitions in each of three shards, and their state. */
record FilledShards(SchemaDatabase database) {
    static final String GROUP = "workers";
    static final int COUNT = 3;

    /** One in each shard, with three messages and a cursor at their start. */
    List<Partition> partitions() {
        var partitions = database.newPartitionInEachShard();
        partitions.forEach(partition -> {
            database.api().push(new Append(partition, 0, Batch.ofSize(3)));
            database.api().openCursors(new Opening(partition.id(), GROUP, null));
        });
        return partitions;
    }

    List<LeaseRequest> leased(List<Partition> partitions) {
        var requests = partitions.stream().map(partition -> LeaseRequest.of(partition, GROUP, 3)).toList();
        assertThat(database.api().lease(requests.toArray(LeaseRequest[]::new))).allMatch(LeaseResult::isLeased);
        return requests;
    }

    /** Returns for each partition: head, committed of the group, and dead letters. */
    List<String> standing(List<Partition> partitions) {
        return partitions.stream()
                .map(partition -> strings("select p.head || ' ' || c.committed || ' ' || (select count(*)"
                        + " from queen.dead_letter d where d.partition_id = p.id) from queen.partition p join queen.cursor c"
                        + " on c.partition_id = p.id and c.group_name = 'workers' where p.id = ?", partition.id())
                        .getFirst())
                .toList();
    }

    long head(Partition partition) {
        return Rows.number(database.api().connection(), "select head from queen.partition where id = ?",
                partition.id());
    }

    List<String> strings(String sql, Object... values) {
        return Rows.strings(database.api().connection(), sql, values);
    }
}
