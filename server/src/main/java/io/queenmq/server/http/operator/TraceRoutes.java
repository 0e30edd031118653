package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.body;
import static io.queenmq.server.http.operator.Parameter.nameOr;
import static io.queenmq.server.http.operator.Parameter.newNames;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.requiredUuid;
import static io.queenmq.server.http.operator.Parameter.sealedJson;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import java.util.List;

/** The routes of traces, which consumers record for messages. */
final class TraceRoutes {
    private static final String TRACES = "/api/v1/traces";
    private static final String NO_MESSAGE = "there is no such message";
    private static final int PAGE_MAX = 1_000;
    private static final int SKIPPED_MAX = 1_000_000;
    private static final int NAMES_MAX = 100;

    private TraceRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(
                OperatorRoute.change(POST, TRACES, Access.READ_WRITE, Reach.partition(Right.POP), "record_trace",
                        NO_MESSAGE, body("partitionId", requiredUuid()), body("transactionId", requiredName()),
                        body("consumerGroup", nameOr("__QUEUE_MODE__")), body("eventType", nameOr("info")),
                        sealedJson("data"), body("traceNames", newNames(NAMES_MAX)), body("workerId", optionalName()))
                        .withStatus(201).withoutCatalogRefresh(),
                OperatorRoute.read(TRACES + "/names", Reach.everyQueue(Right.READ), "list_trace_names", NO_MESSAGE,
                        query("limit", whole(50, 1, PAGE_MAX)), query("offset", whole(0, 0, SKIPPED_MAX))),
                OperatorRoute.read(TRACES + "/by-name/:name", Reach.everyQueue(Right.READ), "list_named_traces",
                        NO_MESSAGE, path("name", requiredName()), query("limit", whole(100, 1, PAGE_MAX)),
                        query("offset", whole(0, 0, SKIPPED_MAX))).withPayloads("message_payload"),
                OperatorRoute.read(TRACES + "/:partitionId/:transactionId", Reach.partition(Right.READ),
                        "list_message_traces", NO_MESSAGE, path("partitionId", requiredUuid()),
                        path("transactionId", requiredName())));
    }
}
