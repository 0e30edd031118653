package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** On a database with 60,000 partitions every list and every response reads a bounded number of pages. */
class ListCostTest {
    private static final int PARTITIONS = 60_000;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private static UUID queueId;

    private final Api session = database.newSession();

    @BeforeAll
    static void fill() {
        var api = database.api();
        queueId = api.configure("big", Map.of()).id();
        api.execute("""
                insert into queen.partition (id, queue_id, name, head, last_push_at)
                select %1$s.partition_id('%2$s', 'partition-' || i), '%2$s', 'partition-' || i, 10, now() - interval '2 hours'
                from generate_series(1, %3$d) i""".formatted(api.schema(), queueId, PARTITIONS));
        api.execute("""
                insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                select p.id, b, 5, now() - interval '2 hours', decode(repeat('00', 40), 'hex'), 'x'
                from queen.partition p, unnest(array[0, 5]) b where p.head > 0""");
        api.execute("""
                insert into queen.cursor (partition_id, group_name, committed)
                select p.id, g, case when p.name ~ '[1-9]$' then 10 else 5 end
                from queen.partition p, unnest(array['workers', 'others']) g where p.head > 0""");
        FilledQueue.writeKeys(api);
        api.execute("analyze");
        api.execute("set enable_hashjoin = on");
        api.operate("{success}", "refresh_depths", "me", true, 0L);
        api.execute("analyze");
    }

    @Test
    void listsOfQueuesAndGroupsReadNoPartition() {
        assertThat(pages("list_queues(100, 0)")).isLessThan(100);
        assertThat(pages("list_groups(100, 0)")).isLessThan(100);
        assertThat(pages("list_namespaces()")).isLessThan(100);
        assertThat(pages("list_tasks()")).isLessThan(100);
    }

    @Test
    void aPageOfPartitionsReadsOnlyItsRows() {
        assertThat(pages("list_partitions('big', null, null, 'name', 100, null)")).isLessThan(7_000);
        assertThat(pages("list_partitions('big', null, 'workers', 'name', 100, '" + queueId + "/partition-15')"))
                .isLessThan(7_000);
        assertThat(pages("list_partitions(null, null, null, 'name', 100, null)")).isLessThan(7_000);
        assertThat(pages("list_partitions('big', null, null, 'lag', 100, null)")).isLessThan(7_000);
        assertThat(pages("show_queue('big', 100, null)")).isLessThan(8_000);
        assertThat(pages("show_group('workers', null, 100, null)")).isLessThan(10_000);
        assertThat(pages("list_lagging(3600, 100)")).isLessThan(10_000);
    }

    @Test
    void aSearchReadsABoundedNumberOfNames() {
        assertThat(pages("list_partitions('big', 'no such partition', null, 'name', 100, null)")).isLessThan(25_000);
    }

    @Test
    void onePartitionReadsFewPages() {
        var partition = Rows
                .strings(session.connection(), "select id from queen.partition where name = 'partition-777'")
                .getFirst();

        assertThat(pages("show_partition('" + partition + "')")).isLessThan(300);
        assertThat(pages("explain_partition('" + partition + "', 'workers')")).isLessThan(200);
        assertThat(pages("explain_message('" + partition + "', 'nothing', 'workers')")).isLessThan(200);
    }

    /** Returns the pages read by a repeated call, so that caches of the session do not count. */
    private long pages(String call) {
        session.execute("reset all");
        session.execute("set plan_cache_mode = force_custom_plan");
        var sql = "select " + session.schema() + "." + call;
        session.execute(sql);
        return Rows.strings(session.connection(), "explain (analyze, buffers, format json) " + sql).stream()
                .mapToLong(ListCostTest::pagesOf).sum();
    }

    private static long pagesOf(String plan) {
        long sum = 0;
        for (String key : new String[]{"\"Shared Hit Blocks\": ", "\"Shared Read Blocks\": "}) {
            int at = plan.indexOf(key) + key.length();
            sum += Long.parseLong(plan.substring(at, plan.indexOf(',', at)));
        }
        return sum;
    }
}
