package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import io.queenmq.schema.Api.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A turn of counting is bounded by partitions and groups, and does not depend on rows kept by a long transaction. */
class CountingBoundsTest {
    @RegisterExtension
    static final SchemaDatabase database = new SchemaDatabase();

    private final Api api = database.api();
    private final Partition partition = database.newPartition();
    private final Counting counting = new Counting(api);

    @Test
    void aTurnCountsFewerPartitionsWhereManyGroupsAreSubscribed() {
        api.execute("begin");
        api.execute("delete from queen.subscription");
        assertThat(partitionsPerTurn()).isEqualTo(20_000);
        subscribe(200, partition.queue());
        assertThat(partitionsPerTurn()).isEqualTo(500);
        // Groups subscribed by namespace read every queue.
        subscribe(50, "");
        assertThat(partitionsPerTurn()).isEqualTo(400);
        subscribe(5_000, "another queue");
        assertThat(partitionsPerTurn()).isEqualTo(100);
        api.execute("rollback");
    }

    @Test
    void manyTouchedPartitionsInOneRowAreCountedInSeveralTurns() {
        database.assumeOneShard();
        List<Partition> partitions = database.newPartitions(250);
        partitions.forEach(each -> api.push(new Append(each, 0, Batch.ofSize(1))));
        counting.count();
        subscribe(2_000, "no such queue");
        api.execute("select %s.touch_partitions(array[%s]::uuid[], array['%s'])".formatted(api.schema(),
                partitions.stream().map(each -> "'" + each.id() + "'").collect(Collectors.joining(",")),
                partitions.getFirst().queue()));

        List<String> turns = new ArrayList<>();
        do {
            turns.add(counting.turn());
        } while (turns.getLast().equals("more") && turns.size() < 20);
        api.execute("delete from queen.subscription where queue_name = 'no such queue'");

        assertThat(turns.size()).isGreaterThanOrEqualTo(3);
        assertThat(turns.getLast()).isEqualTo("done");
        assertThat(Rows.number(api.connection(), "select total from queen.queue_depth where queue_id = ?",
                partitions.getFirst().queueId())).isEqualTo(250);
    }

    @Test
    void rowsKeptByALongTransactionAreNotReadAgain() {
        database.assumeOneShard();
        api.push(new Append(partition, 0, Batch.ofSize(1)));
        api.openCursors(new Opening(partition.id(), "g", null));
        counting.count();
        Api pinning = database.newSession();
        pinning.execute("begin isolation level repeatable read");
        pinning.execute("select from queen.queue");

        long early = entriesReadIn(10, 0);
        entriesReadIn(200, 10);
        long late = entriesReadIn(10, 210);
        pinning.execute("rollback");

        assertThat(late).as("entries read in ten turns, at first %s", early).isLessThan(2 * early + 100);
    }

    /** Moves the age of the oldest message with each turn. Returns how many index entries were read. */
    private long entriesReadIn(int turns, int first) {
        long before = entriesRead();
        for (int i = first; i < first + turns; i++) {
            api.execute(
                    "update queen.segment set created_at = timestamptz '2026-01-01' + %d * interval '1 second' where partition_id = '%s'"
                            .formatted(i, partition.id()));
            counting.touch(partition.id());
            counting.count();
        }
        return entriesRead() - before;
    }

    private long entriesRead() {
        api.execute("select pg_stat_force_next_flush()");
        return Rows.number(api.connection(),
                "select sum(idx_tup_read)::bigint from pg_stat_user_indexes where schemaname like 'queen%'"
                        + " and relname in ('group_age', 'partition_depth', 'depth_turn')");
    }

    private long partitionsPerTurn() {
        return Rows.number(api.connection(), "select " + api.schema() + ".partitions_per_turn(20000, 100000)");
    }

    private void subscribe(int groups, String queue) {
        api.execute("insert into queen.subscription (group_name, queue_name, namespace, task, mode, subscribed_at)"
                + " select 'of " + queue + " ' || n, '" + queue + "', '', '', 'all', now() from generate_series(1, "
                + groups + ") n");
    }
}
