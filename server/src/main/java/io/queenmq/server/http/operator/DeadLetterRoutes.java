package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.anywhere;
import static io.queenmq.server.http.operator.Parameter.body;
import static io.queenmq.server.http.operator.Parameter.flag;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.optionalNames;
import static io.queenmq.server.http.operator.Parameter.optionalPartition;
import static io.queenmq.server.http.operator.Parameter.optionalQueue;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.requiredUuid;
import static io.queenmq.server.http.operator.Parameter.sealedError;
import static io.queenmq.server.http.operator.Parameter.text;
import static io.queenmq.server.http.operator.Parameter.timestamp;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.queenmq.server.http.operator.Parameter.wholeOrNull;
import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import java.util.List;

/** The routes of dead letters: list, redrive, delete. */
final class DeadLetterRoutes {
    private static final String DEAD_LETTERS = "/api/v1/dlq";
    private static final String REDRIVES = DEAD_LETTERS + "/redrives";
    private static final String NO_QUEUE = "there is no such queue";
    private static final String NO_REDRIVE = "there is no such redrive";

    private static final int PAGE_MAX = 1_000;
    private static final int SKIPPED_MAX = 1_000_000;
    private static final int IDS_MAX = 10_000;
    private static final int RATE_MAX = 100_000;

    private DeadLetterRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(
                OperatorRoute.read(DEAD_LETTERS, Reach.LIST, "list_dead_letters", NO_QUEUE,
                        query("queue", optionalName()), query("partition", optionalName()),
                        query("consumerGroup", optionalName()), query("error", text()), query("from", timestamp()),
                        query("to", timestamp()), query("limit", whole(100, 1, PAGE_MAX)),
                        query("offset", whole(0, 0, SKIPPED_MAX)), sealedError()).withPayloads("data"),
                OperatorRoute.read(DEAD_LETTERS + "/errors", Reach.LIST, "list_dead_letter_errors", NO_QUEUE,
                        query("queue", optionalName()), query("partition", optionalName()),
                        query("consumerGroup", optionalName()), query("error", text()), query("from", timestamp()),
                        query("to", timestamp()), query("limit", whole(100, 1, PAGE_MAX)),
                        query("offset", whole(0, 0, SKIPPED_MAX)), sealedError()),
                OperatorRoute.read(REDRIVES, Reach.LIST, "list_redrives", NO_REDRIVE,
                        query("limit", whole(100, 1, PAGE_MAX)), query("offset", whole(0, 0, SKIPPED_MAX))),
                OperatorRoute.read(REDRIVES + "/:id", Reach.redrive(Right.READ), "show_redrive", NO_REDRIVE,
                        path("id", requiredUuid())),
                OperatorRoute.change(DELETE, REDRIVES + "/:id", Access.READ_WRITE, Reach.redrive(Right.MANAGE),
                        "cancel_redrive", NO_REDRIVE, actor(), path("id", requiredUuid())),
                OperatorRoute.change(POST, DEAD_LETTERS + "/redrive", Access.READ_WRITE, Reach.queue(Right.MANAGE),
                        "start_redrive", NO_QUEUE, actor(), body("queue", optionalName()),
                        body("partition", optionalName()), body("consumerGroup", optionalName()), body("error", text()),
                        body("from", timestamp()), body("to", timestamp()),
                        body("transactionIds", optionalNames(IDS_MAX)),
                        body("limit", wholeOrNull(1, Integer.MAX_VALUE)), body("targetQueue", optionalQueue()),
                        body("targetPartition", optionalPartition()), body("ratePerSecond", wholeOrNull(1, RATE_MAX)),
                        body("dryRun", flag(false)), sealedError()).withStatus(202).withPayloads("data").boundToQueue(),
                OperatorRoute.change(DELETE, DEAD_LETTERS, Access.ADMIN, Reach.queue(Right.MANAGE),
                        "purge_dead_letters", NO_QUEUE, actor(), anywhere("queue", optionalName()),
                        anywhere("partition", optionalName()), anywhere("consumerGroup", optionalName()),
                        anywhere("error", text()), anywhere("from", timestamp()), anywhere("to", timestamp()),
                        anywhere("transactionIds", optionalNames(IDS_MAX)), sealedError()),
                OperatorRoute
                        .read(DEAD_LETTERS + "/:partitionId/:transactionId", Reach.partition(Right.READ),
                                "show_dead_letter", "there is no such dead letter", path("partitionId", requiredUuid()),
                                path("transactionId", requiredName()), query("consumerGroup", optionalName()))
                        .withPayloads("data"));
    }
}
