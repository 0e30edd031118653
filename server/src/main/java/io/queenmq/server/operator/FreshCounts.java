package io.queenmq.server.operator;

import io.queenmq.engine.reply.Failure;
import java.util.Set;

/** Refreshes the sums over partitions before a routine reads them. Safe from any thread. */
public final class FreshCounts implements OperatorQueries {
    /** The routines that return sums over partitions. */
    static final Set<String> NUMBERS = Set.of("list_groups", "list_lagging", "list_partitions", "list_namespaces",
            "list_queries", "list_queues", "list_shards", "list_tasks", "overview", "prometheus", "queue_ops",
            "show_group", "show_partition", "show_query", "show_queue", "status", "status_queue", "status_queues",
            "worker_metrics");

    private final OperatorQueries queries;
    private final DepthRefresher depths;

    public FreshCounts(OperatorQueries queries, DepthRefresher depths) {
        this.queries = queries;
        this.depths = depths;
    }

    @Override
    public void call(OperatorCall call) {
        if (NUMBERS.contains(call.routine())) {
            depths.whenFresh(() -> read(call));
        } else {
            queries.call(call);
        }
    }

    private void read(OperatorCall call) {
        try {
            queries.call(call);
        } catch (RuntimeException defect) {
            // Nothing handles an exception on this thread, and the request waits for a response.
            call.reply().fail(new Failure.Unavailable("this server failed: " + defect));
        }
    }

    @Override
    public PayloadView payloads() {
        return queries.payloads();
    }
}
