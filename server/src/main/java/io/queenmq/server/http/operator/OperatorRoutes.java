package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.body;
import static io.queenmq.server.http.operator.Parameter.constant;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredFlag;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.requiredNumber;
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
import java.util.stream.Stream;

/**
 * The list of all operator routes. Routes with fixed segments must be listed before routes with parameters: the first match
 * is used.
 */
public final class OperatorRoutes {
    private static final String QUEUES = "/api/v1/resources/queues";
    private static final String REVOCATIONS = "/api/v1/system/revocations";
    private static final String NO_QUEUE = "there is no such queue";
    private static final String NOTHING = "there is nothing to show";

    private OperatorRoutes() {}

    public static List<OperatorRoute> all() {
        return Stream
                .of(queues(), GroupRoutes.all(), PartitionRoutes.all(), MessageRoutes.all(), DeadLetterRoutes.all(),
                        TraceRoutes.all(), StreamRoutes.all(), system(), NumbersRoutes.all())
                .flatMap(List::stream).toList();
    }

    private static List<OperatorRoute> queues() {
        return List.of(
                OperatorRoute.read(QUEUES, Reach.LIST, "list_queues", NOTHING, query("limit", whole(10_000, 1, 10_000)),
                        query("offset", whole(0, 0, 100_000_000))),
                OperatorRoute.read(QUEUES + "/:queue", Reach.queue(Right.READ), "show_queue", NO_QUEUE,
                        path("queue", requiredName()), query("limit", whole(1_000, 1, 10_000)),
                        query("after", Parameter.text())),
                OperatorRoute.read("/api/v1/resources/namespaces", Reach.LIST, "list_namespaces", NOTHING),
                OperatorRoute.read("/api/v1/resources/tasks", Reach.LIST, "list_tasks", NOTHING),
                OperatorRoute.change(POST, "/api/v1/stats/refresh", Access.ADMIN, Reach.SERVER, "refresh_all_depths",
                        NOTHING, actor()),
                OperatorRoute.change(POST, QUEUES + "/:queue/pause", Access.READ_WRITE, Reach.queue(Right.MANAGE),
                        "pause_queue", NO_QUEUE, actor(), path("queue", requiredName()), constant(true)),
                OperatorRoute.change(POST, QUEUES + "/:queue/resume", Access.READ_WRITE, Reach.queue(Right.MANAGE),
                        "pause_queue", NO_QUEUE, actor(), path("queue", requiredName()), constant(false)));
    }

    private static List<OperatorRoute> system() {
        return List.of(
                OperatorRoute.read("/api/v1/system/maintenance/pop", Reach.SERVER, "maintenance", NOTHING,
                        constant("pop")),
                OperatorRoute.change(POST, "/api/v1/system/maintenance/pop", Access.ADMIN, Reach.SERVER,
                        "set_maintenance", NOTHING, actor(), constant("pop"), body("enabled", requiredFlag())),
                OperatorRoute.read("/api/v1/operations", Reach.LIST, "list_operations", NOTHING,
                        query("limit", whole(100, 1, 1_000))),
                OperatorRoute.read("/api/v1/system/encryption", Reach.SERVER, "show_encryption", NOTHING)
                        .withAccess(Access.ADMIN),
                OperatorRoute.read("/api/v1/system/audit", Reach.SERVER, "list_audit", NOTHING, query("actor", text()),
                        query("action", text()), query("target", text()), query("from", timestamp()),
                        query("to", timestamp()), query("before", wholeOrNull(1, Long.MAX_VALUE)),
                        query("limit", whole(100, 1, 1_000))).withAccess(Access.ADMIN),
                OperatorRoute
                        .read(REVOCATIONS, Reach.SERVER, "list_revocations", NOTHING,
                                query("before", wholeOrNull(1, Long.MAX_VALUE)), query("limit", whole(100, 1, 1_000)))
                        .withAccess(Access.ADMIN),
                OperatorRoute
                        .change(POST, REVOCATIONS, Access.ADMIN, Reach.SERVER, "revoke_tokens", NOTHING, actor(),
                                body("tokenId", optionalName()), body("subject", optionalName()),
                                body("issuedBefore", timestamp()), body("expiresAt", timestamp()))
                        .withoutCatalogRefresh(),
                OperatorRoute
                        .change(DELETE, REVOCATIONS + "/:id", Access.ADMIN, Reach.SERVER, "restore_tokens",
                                "there is no such revocation", actor(), path("id", requiredNumber()))
                        .withoutCatalogRefresh());
    }
}
