package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Operations on all partitions of a queue use pages of bounded size, and read about the same number of rows per
 * partition for any number of partitions, in sessions of operators, which plan every call.
 */
class OperationPlanTest {
    private static final int PAGE = 1_000;
    /** Rows read for each partition, over all tables and all statements of a page. */
    private static final int ROWS_PER_PARTITION_MAX = 60;
    /** A page must end long before DB_STATEMENT_TIMEOUT, which is 30 s. */
    private static final long PAGE_MAX_NS = TimeUnit.SECONDS.toNanos(10);

    @RegisterExtension
    static final DatabasePerTest database = DatabasePerTest.ofShards(1);

    private final String api = Release.load().routines().name();

    @Test
    void twentyThousandPartitions() throws SQLException {
        everyOperation(20_000);
    }

    @Test
    @Tag("nightly")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void halfAMillionPartitions() throws SQLException {
        everyOperation(500_000);
    }

    private void everyOperation(int partitions) throws SQLException {
        try (Connection session = operator()) {
            fill(session, "large", partitions);
            fill(session, "other", partitions / 5);
            Rows.execute(session, "vacuum analyze");
            var problems = new ArrayList<String>();

            request(session, "seek_queue(null, 'g', 'large', true, false, null)", partitions, problems);
            request(session, "seek_queue(null, 'g', 'large', false, true, null)", partitions, problems);
            request(session, "clear_queue(null, 'large', null)", partitions, problems);
            Rows.strings(session, "select mode_in_force from " + api + ".subscribe('n', 'large', '', '', 'new', null)");
            continueAll(session, "subscribe", partitions, problems);
            request(session, "delete_group(null, 'n', 'large', true)", partitions, problems);
            Rows.strings(session, "select " + api + ".delete_queue(null, 'large')::text");
            continueAll(session, "delete_queue", partitions, problems);
            // The statistics still count deleted partitions.
            request(session, "seek_queue(null, 'g', 'other', true, false, null)", partitions / 5, problems);

            assertThat(problems).isEmpty();
            assertThat(Rows.number(session, "select count(*) from queen.partition")).isEqualTo(partitions / 5);
            assertThat(Rows.number(session, "select count(*) from queen.operation where status = 'running'")).isZero();
            assertThat(Rows.number(session, "select count(*) from queen.cursor c join queen.partition p"
                    + " on p.id = c.partition_id where c.committed <> p.head")).isZero();
        }
    }

    private Connection operator() {
        var connection = database.database().connect();
        Rows.execute(connection, "set search_path = queen");
        Rows.execute(connection, "set plan_cache_mode = force_custom_plan");
        return connection;
    }

    private void fill(Connection session, String queue, int partitions) {
        var id = UUID.randomUUID();
        Rows.execute(session,
                "insert into queen.queue (id, name, namespace, task) values ('" + id + "', '" + queue + "', '', '')");
        Rows.execute(session,
                """
                insert into queen_00.partition (id, queue_id, name, head, last_push_at)
                select %1$s.partition_id('%2$s', 'p' || i), '%2$s', 'p' || i, 1, now() from generate_series(1, %3$d) i"""
                        .formatted(api, id, partitions));
        Rows.execute(session, """
                insert into queen_00.segment (partition_id, base, count, created_at, hashes, body)
                select p.id, 0, 1, now(), decode(repeat('00', 8), 'hex'), 'x' from queen_00.partition p
                where p.queue_id = '%s'""".formatted(id));
        Rows.execute(session, "insert into queen_00.partition_key (id, queue_id, name) select id, queue_id, name"
                + " from queen_00.partition where queue_id = '" + id + "'");
    }

    private void request(Connection session, String call, int partitions, List<String> problems) {
        long begunNs = System.nanoTime();
        long read = rowsRead(session, "select " + api + "." + call);
        addProblems(call, begunNs, read, problems);
        continueAll(session, call, partitions, problems);
    }

    /** As upkeep does. */
    private void continueAll(Connection session, String call, int partitions, List<String> problems) {
        int pages = 0;
        for (String next = next(session); next != null; next = next(session)) {
            long begunNs = System.nanoTime();
            long read = rowsRead(session, "select " + api + ".continue_operation('" + next + "', " + PAGE + ")::text");
            addProblems(call, begunNs, read, problems);
            assertThat(++pages).as("pages of " + call).isLessThanOrEqualTo(partitions / PAGE + 3);
        }
    }

    private static void addProblems(String call, long begunNs, long read, List<String> problems) {
        long tookNs = System.nanoTime() - begunNs;
        if (read > 2L * PAGE * ROWS_PER_PARTITION_MAX || tookNs > PAGE_MAX_NS) {
            problems.add(call + " read " + read + " rows in " + TimeUnit.NANOSECONDS.toMillis(tookNs) + " ms");
        }
    }

    private String next(Connection session) {
        return Rows.strings(session, "select " + api + ".next_operation('{}')::text").getFirst();
    }

    private static long rowsRead(Connection session, String call) {
        Rows.execute(session, "begin");
        long before = rows(session);
        Rows.strings(session, call);
        long after = rows(session);
        Rows.execute(session, "commit");
        return after - before;
    }

    private static long rows(Connection session) {
        return Rows.number(session, "select sum(seq_tup_read) + sum(coalesce(idx_tup_fetch, 0))"
                + " from pg_stat_xact_user_tables where schemaname like 'queen%'");
    }
}
