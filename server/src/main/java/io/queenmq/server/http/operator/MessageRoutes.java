package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.anywhere;
import static io.queenmq.server.http.operator.Parameter.nameOr;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.requiredUuid;
import static io.queenmq.server.http.operator.Parameter.text;
import static io.queenmq.server.http.operator.Parameter.timestamp;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import java.util.List;

/** The routes of single messages for operators. */
final class MessageRoutes {
    private static final String MESSAGE = "/api/v1/messages/:partitionId/:transactionId";
    private static final String NO_MESSAGE = "there is no such message";
    private static final String NO_QUEUE = "there is no such queue or partition";

    /** Maximum offset: a page reads all entries before it. */
    private static final int SKIPPED_MAX = 10_000;
    private static final int PAGE_MAX = 1_000;

    private MessageRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(
                OperatorRoute.read("/api/v1/messages", Reach.LIST, "list_messages", NO_MESSAGE,
                        query("queue", optionalName()), query("partition", optionalName()), query("ns", optionalName()),
                        query("task", optionalName()), query("status", optionalName()), query("from", timestamp()),
                        query("to", timestamp()), query("limit", whole(200, 1, PAGE_MAX)),
                        query("offset", whole(0, 0, SKIPPED_MAX))),
                OperatorRoute.read("/api/v1/status/queues/:queue/messages", Reach.queue(Right.READ),
                        "list_queue_messages", "there is no such queue", path("queue", requiredName()),
                        query("limit", whole(50, 1, PAGE_MAX)), query("offset", whole(0, 0, SKIPPED_MAX))),
                OperatorRoute
                        .read(MESSAGE, Reach.partition(Right.READ), "show_message", NO_MESSAGE,
                                path("partitionId", requiredUuid()), path("transactionId", requiredName()))
                        .withPayloads("payload"),
                OperatorRoute.change(DELETE, MESSAGE, Access.READ_WRITE, Reach.partition(Right.MANAGE),
                        "remove_message", NO_MESSAGE, actor(), path("partitionId", requiredUuid()),
                        path("transactionId", requiredName())),
                OperatorRoute.change(POST, MESSAGE + "/retry", Access.READ_WRITE, Reach.partition(Right.MANAGE),
                        "retry_message", "there is no dead letter of this message", actor(),
                        path("partitionId", requiredUuid()), path("transactionId", requiredName()),
                        anywhere("consumerGroup", optionalName())),
                OperatorRoute.change(POST, MESSAGE + "/dlq", Access.READ_WRITE, Reach.partition(Right.MANAGE),
                        "dead_letter_message", NO_MESSAGE, actor(), path("partitionId", requiredUuid()),
                        path("transactionId", requiredName()), anywhere("consumerGroup", nameOr("__QUEUE_MODE__")),
                        anywhere("error", text())),
                OperatorRoute.change(DELETE, "/api/v1/queues/:queue/clear", Access.ADMIN, Reach.queue(Right.MANAGE),
                        "clear_queue", NO_QUEUE, actor(), path("queue", requiredName()),
                        query("partition", optionalName())));
    }
}
