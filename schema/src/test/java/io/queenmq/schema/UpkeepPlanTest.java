package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rows read by a pass of upkeep depend on its work, and not on the number of partitions. */
class UpkeepPlanTest {
    private static final int PARTITIONS = 100_000;
    private static final int DUE = 10;

    /** Rows per partition with work; the segments of one partition are read several times. */
    private static final int ROWS_PER_PARTITION_MAX = 60;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    private final Api api = database.api();
    private final Upkeep upkeep = new Upkeep(api);

    @BeforeAll
    static void fill() {
        var api = database.api();
        var queue = api.configure("wide", Map.of("retention_enabled", true, "retention_s", 86_400,
                "completed_retention_s", 40_000, "max_wait_time_s", 80_000));
        api.execute("""
                insert into queen.partition (id, queue_id, name, head, last_push_at, active_at)
                select %1$s.partition_id('%2$s', 'partition-' || i), '%2$s', 'partition-' || i, 20, at, at
                from generate_series(1, %3$d) i, lateral (select clock_timestamp() - interval '1 hour' as at) x"""
                .formatted(api.schema(), queue.id(), PARTITIONS));
        api.execute("""
                insert into queen.segment (partition_id, base, count, created_at, hashes, body)
                select p.id, b, 10, p.last_push_at, decode(repeat('00', 80), 'hex'), 'x'
                from queen.partition p, unnest(array[0, 10]) b
                where p.head > 0""");
        api.execute("insert into queen.cursor (partition_id, group_name, committed)"
                + " select p.id, 'workers', 0 from queen.partition p where p.head > 0");
        FilledQueue.writeKeys(api);
        new Upkeep(api).retain();
        new Upkeep(api).evict();
        api.execute("vacuum analyze");
    }

    @Test
    void retentionReadsThePartitionsThatAreDue() {
        duePartitions("retention", 90_000);

        assertThat(rowsRead(upkeep::retain)).isLessThan(DUE * ROWS_PER_PARTITION_MAX);

        assertThat(kept()).isEqualTo(PARTITIONS - DUE);
    }

    @Test
    void evictionReadsThePartitionsThatAreDue() {
        duePartitions("eviction", 80_001);

        assertThat(rowsRead(upkeep::evict)).isLessThan(DUE * ROWS_PER_PARTITION_MAX);

        assertThat(Rows.number(api.connection(), "select count(*) from queen.cursor where expired_count = 20"))
                .isEqualTo(DUE);
    }

    @Test
    void anIdlePassReadsFewPages() {
        upkeep.retain();

        assertThat(rowsRead(upkeep::retain)).isLessThan(20);
        assertThat(rowsRead(() -> new Upkeep(api).deleteIdlePartitions(30, 100))).isLessThan(20);
        assertThat(rowsRead(() -> new Upkeep(api).forgetLeases(100))).isLessThan(20);
    }

    private long kept() {
        return Rows.number(api.connection(), "select count(*) from queen.partition where head > tail");
    }

    private void duePartitions(String kind, int seconds) {
        // Partitions that the other test has not touched.
        List<String> chosen = Rows.strings(api.connection(), "select u.partition_id from queen.partition_upkeep u"
                + " join queen.segment s on s.partition_id = u.partition_id and s.base = 0 where u.kind = '" + kind
                + "' and u.due_at > clock_timestamp() and s.created_at > clock_timestamp() - interval '12 hours'"
                + " order by md5(u.kind || u.partition_id) limit " + DUE);
        assertThat(chosen).hasSize(DUE);
        for (var id : chosen) {
            api.everywhere("update segment set created_at = created_at - interval '" + seconds
                    + " s' where partition_id = '" + id + "'");
            api.everywhere("update partition_upkeep set due_at = due_at - interval '" + seconds
                    + " s' where partition_id = '" + id + "' and kind = '" + kind + "'");
        }
    }

    private long rowsRead(Runnable pass) {
        api.execute("begin");
        long before = rows();
        pass.run();
        long after = rows();
        api.execute("commit");
        return after - before;
    }

    private long rows() {
        return Rows.number(api.connection(), """
                select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0))
                from pg_stat_xact_user_tables
                where schemaname like 'queen%'""");
    }
}
