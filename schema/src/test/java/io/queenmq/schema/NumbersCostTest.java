package io.queenmq.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages read for a page of numbers are bounded, even with 10,000 busy queues and 200,000 partitions. */
class NumbersCostTest {
    private static final int QUEUES = 10_000;
    private static final int PARTITIONS_PER_QUEUE = 20;

    /** Pages of 8 kB. The tables of partitions, cursors and segments have several times as many. */
    private static final int BUFFERS_MAX = 10_000;

    @RegisterExtension
    static final SchemaDatabase database = SchemaDatabase.ofOneShard();

    @BeforeAll
    static void fill() {
        Api session = database.api();
        // As in sessions for operators.
        session.execute("reset all");
        session.execute("set plan_cache_mode = 'force_custom_plan'");
        session.execute("set jit = off");
        session.execute("insert into queen.queue (id, name, namespace, task) select gen_random_uuid(), 'queue-' || i,"
                + " 'namespace-' || i % 100, 'task-' || i % 7 from generate_series(1, " + QUEUES + ") i");
        session.execute("insert into queen.partition (id, queue_id, name, head, last_push_at)" + " select "
                + session.schema() + ".partition_id(q.id, 'partition-' || i), q.id, 'partition-' || i, 20, now()"
                + " from queen.queue q, generate_series(1, " + PARTITIONS_PER_QUEUE + ") i");
        session.execute("insert into queen.cursor (partition_id, group_name, committed)"
                + " select p.id, 'workers', 10 from queen.partition p");
        session.execute("insert into queen.segment (partition_id, base, count, created_at, hashes, body)"
                + " select p.id, 0, 20, now(), decode(repeat('00', 160), 'hex'), 'x'" + " from queen.partition p");
        session.execute(
                "insert into queen.dead_letter (partition_id, group_name, message_offset, queue_id, line, error,"
                        + " attempts, created_at, failed_at) select p.id, 'workers', 0, p.queue_id, 'x', 'error ' || p.name, 3,"
                        + " now(), now() from queen.partition p where p.name in ('partition-1', 'partition-2')");
        FilledQueue.writeKeys(session);
        session.execute("insert into queen.queue_depth (queue_id, partitions, total, pending, processing)"
                + " select q.id, 20, 400, 200, 0 from queen.queue q");
        UUID[] all = session.list(rows -> rows.getObject(1, UUID.class), "select id from queen.queue")
                .toArray(UUID[]::new);
        for (int server = 0; server < 2; server++) {
            UUID id = UUID.randomUUID();
            for (int minutesAgo = 0; minutesAgo < 3; minutesAgo++) {
                NumbersReport.of(id, minutesAgo + 1, 1, all).aged(60L * minutesAgo).from("worker-" + server)
                        .send(session);
            }
        }
        session.execute("vacuum analyze");
    }

    @ParameterizedTest
    @ValueSource(strings = {"overview()", "status(null, null, null, null, null)",
        "status(null, 'namespace-1', null, null, null)", "worker_metrics(null, null, null, null)",
        "status('queue-1', null, null, null, null)", "status_queues(null, null, 100, 0)",
        "status_queues(null, null, 100, 9000)", "status_queues('namespace-3', null, 100, 0)",
        "status_queue('queue-1', 200, null)", "status_analytics(null, null, null, null, null, null)",
        "status_analytics('queue-1', null, null, 'minute', null, null)",
        "status_analytics(null, 'namespace-1', null, null, null, null)", "queue_lag(null, null, null)",
        "queue_lag('queue-1', null, null)", "queue_ops(null, null, null)", "queue_ops('queue-1', null, null)",
        "queue_ops(null, now() - interval '90 days', null)", "waiting_pops_by_server(null, null, null)",
        "system_metrics(null, null, null, null)", "retention_series(null, null, null)", "postgres_stats()",
        "server_health()", "lifetime_totals()", "prometheus(200)"})
    void aPageOfNumbersReadsABoundedNumberOfBuffers(String call) {
        assertThat(buffers(call)).as(call).isBetween(1L, (long) BUFFERS_MAX);
    }

    private static long buffers(String call) {
        Api session = database.api();
        List<String> plan = session.list(rows -> rows.getString(1),
                "explain (analyze, buffers, format json) select " + session.schema() + "." + call);
        return session.list(rows -> rows.getLong(1),
                "select (p #>> '{0,Plan,Shared Hit Blocks}')::bigint"
                        + " + (p #>> '{0,Plan,Shared Read Blocks}')::bigint from (select ?::json as p) x",
                String.join("\n", plan)).getFirst();
    }
}
