package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.constant;
import static io.queenmq.server.http.operator.Parameter.nameOr;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.requiredUuid;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import java.util.List;

/** The routes of partitions for operators: list, show, explain, pause and resume. */
final class PartitionRoutes {
    private static final String PARTITION = "/api/v1/partitions/:partitionId";
    private static final String EXPLAIN = "/api/v1/explain/:partitionId";
    private static final String NO_QUEUE = "there is no such queue";
    private static final String NO_PARTITION = "there is no such partition";

    private PartitionRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(list("/api/v1/resources/partitions", query("queue", optionalName())),
                list("/api/v1/resources/queues/:queue/partitions", path("queue", requiredName())),
                OperatorRoute.read(PARTITION, Reach.partition(Right.READ), "show_partition", NO_PARTITION, id()),
                OperatorRoute.read(EXPLAIN, Reach.partition(Right.READ), "explain_partition", NO_PARTITION, id(),
                        group()),
                OperatorRoute.read(EXPLAIN + "/:transactionId", Reach.partition(Right.READ), "explain_message",
                        "there is no such message in that partition", id(), path("transactionId", requiredName()),
                        group()),
                pause("pause", true), pause("resume", false));
    }

    private static OperatorRoute list(String path, Parameter queue) {
        return OperatorRoute.read(path, Reach.queue(Right.READ), "list_partitions", NO_QUEUE, queue,
                query("search", Parameter.text()), query("consumerGroup", optionalName()),
                query("sort", nameOr("name")), query("limit", whole(100, 1, 1_000)), query("after", Parameter.text()));
    }

    private static OperatorRoute pause(String word, boolean isPaused) {
        return OperatorRoute.change(POST, PARTITION + "/" + word, Access.READ_WRITE, Reach.partition(Right.MANAGE),
                "pause_partition", NO_PARTITION, actor(), id(), constant(isPaused));
    }

    private static Parameter id() {
        return path("partitionId", requiredUuid());
    }

    private static Parameter group() {
        return query("consumerGroup", nameOr(PopCommand.QUEUE_MODE));
    }
}
