package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.text;
import static io.queenmq.server.http.operator.Parameter.timestamp;
import static io.queenmq.server.http.operator.Parameter.whole;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Reach;
import java.util.List;
import java.util.stream.Stream;

/** The routes of totals and historical metrics. */
final class NumbersRoutes {
    private static final String NOTHING = "there is nothing to show";

    private static final int QUEUES_PER_PAGE_MAX = 1_000;
    private static final int PARTITIONS_PER_PAGE_MAX = 2_000;

    private NumbersRoutes() {}

    static List<OperatorRoute> all() {
        return Stream.of(status(), analytics()).flatMap(List::stream).toList();
    }

    private static List<OperatorRoute> status() {
        Parameter queue = query("queue", optionalName());
        Parameter namespace = query("namespace", optionalName());
        Parameter task = query("task", optionalName());
        return List.of(OperatorRoute.read("/api/v1/resources/overview", Reach.LIST, "overview", NOTHING),
                OperatorRoute.read("/api/v1/status", Reach.LIST, "status", NOTHING, queue, namespace, task, from(),
                        to()),
                OperatorRoute.read("/api/v1/status/analytics", Reach.LIST, "status_analytics", NOTHING, queue,
                        namespace, task, query("interval", text()), from(), to()),
                OperatorRoute.read("/api/v1/status/queues", Reach.LIST, "status_queues", NOTHING, namespace, task,
                        query("limit", whole(100, 1, QUEUES_PER_PAGE_MAX)),
                        query("offset", whole(0, 0, Integer.MAX_VALUE))),
                OperatorRoute.read("/api/v1/status/queues/:queue", Reach.queue(Right.READ), "status_queue",
                        "there is no such queue", path("queue", requiredName()),
                        query("limit", whole(200, 1, PARTITIONS_PER_PAGE_MAX)), query("after", text())));
    }

    private static List<OperatorRoute> analytics() {
        Parameter queue = query("queue", optionalName());
        Parameter hostname = query("hostname", text());
        Parameter worker = query("workerId", text());
        return List.of(
                OperatorRoute.read("/api/v1/analytics/system-metrics", Reach.SERVER, "system_metrics", NOTHING,
                        hostname, worker, from(), to()),
                OperatorRoute.read("/api/v1/analytics/worker-metrics", Reach.SERVER, "worker_metrics", NOTHING,
                        hostname, worker, from(), to()),
                OperatorRoute.read("/api/v1/analytics/queue-lag", Reach.LIST, "queue_lag", NOTHING, queue, from(),
                        to()),
                OperatorRoute.read("/api/v1/analytics/queue-ops", Reach.LIST, "queue_ops", NOTHING, queue, from(),
                        to()),
                OperatorRoute.read("/api/v1/analytics/queue-parked-replicas", Reach.LIST, "waiting_pops_by_server",
                        NOTHING, queue, from(), to()),
                OperatorRoute.read("/api/v1/analytics/retention", Reach.LIST, "retention_series", NOTHING, queue,
                        from(), to()),
                OperatorRoute.read("/api/v1/analytics/postgres-stats", Reach.SERVER, "postgres_stats", NOTHING),
                OperatorRoute.read("/api/v1/analytics/shards", Reach.SERVER, "list_shards", NOTHING));
    }

    private static Parameter from() {
        return query("from", timestamp());
    }

    private static Parameter to() {
        return query("to", timestamp());
    }
}
