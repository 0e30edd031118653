package io.queenmq.server.http;

import static io.queenmq.server.http.Parameter.actor;
import static io.queenmq.server.http.Parameter.constant;
import static io.queenmq.server.http.Parameter.path;
import static io.queenmq.server.http.Parameter.requiredName;
import static io.vertx.core.http.HttpMethod.POST;

import java.util.List;
import java.util.stream.Stream;

/** Every route for operators. Fixed names stand before parameters, because the first route that matches is taken. */
final class OperatorRoutes {
    private static final String NO_QUEUE = "there is no such queue";

    private OperatorRoutes() {}

    static List<OperatorRoute> all() {
        return Stream.of(queues(), MessageRoutes.all(), DeadLetterRoutes.all(), TraceRoutes.all()).flatMap(List::stream)
                .toList();
    }

    private static List<OperatorRoute> queues() {
        return List.of(
                OperatorRoute.change(POST, "/api/v1/resources/queues/:queue/pause", Access.READ_WRITE, "pause_queue",
                        NO_QUEUE, actor(), path("queue", requiredName()), constant(true)),
                OperatorRoute.change(POST, "/api/v1/resources/queues/:queue/resume", Access.READ_WRITE, "pause_queue",
                        NO_QUEUE, actor(), path("queue", requiredName()), constant(false)));
    }
}
