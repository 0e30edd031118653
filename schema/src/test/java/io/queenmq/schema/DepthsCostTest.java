package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Api.Append;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The cost of refresh_depths depends on changes, not on sizes. Uses tens of thousands of partitions, which no other
 * test counts.
 */
class DepthsCostTest {
    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();

    /** Uses the settings of operator sessions, which count: sessions for messages never use hash joins. */
    @BeforeEach
    void planAsForOperators() {
        api.execute("set plan_cache_mode = force_custom_plan");
        api.execute("set enable_hashjoin = on");
    }

    /** 20,000 at a time. */
    @Test
    void aQueueWithManyPartitionsIsCountedInSeveralTurns() {
        var partition = database.newPartitionWith(1);
        fillIdlePartitions(partition, 21_000);

        refresh();
        assertThat(DepthsRoutineTest.queue(api, partition)).isNotEqualTo(DepthsRoutineTest.recount(api, partition));
        for (int turns = 0; turns < 4; turns++) {
            refresh();
        }

        assertThat(DepthsRoutineTest.queue(api, partition)).isEqualTo(DepthsRoutineTest.recount(api, partition));
    }

    @Test
    void manyTouchedPartitionsAreCountedInSeveralTurns() {
        var partition = database.newPartitionWith(1);
        fillIdlePartitions(partition, 21_000);
        api.everywhere("update queue_depth d set revision = q.revision from queen.queue q where q.id = d.queue_id");
        api.everywhere("delete from touched_partitions");
        for (int part = 0; part < 3; part++) {
            api.execute(
                    "select %s.touch_partitions(array(select id from queen.partition where queue_id = '%s' and hashtext(name) %% 3 in (%d, -%d)), '{}')"
                            .formatted(api.schema(), partition.queueId(), part, part));
        }
        var ask = "select " + api.schema() + ".count_touched(0)";

        assertThat(Rows.strings(api.connection(), ask)).containsExactly("more");
        assertThat(Rows.strings(api.connection(), ask)).containsExactly("done");

        assertThat(DepthsRoutineTest.queue(api, partition)).isEqualTo(DepthsRoutineTest.recount(api, partition));
    }

    @Test
    void theWorkDoesNotGrowWithInactivePartitions() {
        var partition = database.newPartitionWith(1);
        fillIdlePartitions(partition, 21_000);
        api.operate("{success}", "refresh_depths", "me", true, 0L);
        refresh();
        api.push(new Append(partition, 1, Batch.ofSize(1)));
        var session = database.newSession();

        session.execute("begin");
        var before = rowsRead(session);
        session.operate("{success}", "refresh_depths", null, false, 0L);
        var read = rowsRead(session) - before;
        session.execute("rollback");

        assertThat(read).isLessThan(15_000);
    }

    private void fillIdlePartitions(Partition partition, int count) {
        api.execute("""
                insert into queen.partition (id, queue_id, name, head, tail, last_push_at, active_at)
                select %1$s.partition_id('%2$s', 'idle-' || i), '%2$s', 'idle-' || i, 5, 0, now() - interval '1 day',
                       now() - interval '1 day'
                from generate_series(1, %3$d) i""".formatted(api.schema(), partition.queueId(), count));
        api.execute("""
                insert into queen.cursor (partition_id, group_name, committed, created_at)
                select id, 'workers', 5, now() - interval '1 day' from queen.partition where name like 'idle-%'""");
        FilledQueue.writeKeys(api);
        api.execute("update queen.queue set revision = revision + 1 where id = '" + partition.queueId() + "'");
        api.everywhere("analyze partition, cursor");
    }

    private static long rowsRead(Api session) {
        return Rows.number(session.connection(),
                """
                select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables where schemaname like 'queen%'""");
    }

    private void refresh() {
        assertThat(api.operate("{success}", "refresh_depths", null, false, 0L)).isEqualTo("true");
    }
}
