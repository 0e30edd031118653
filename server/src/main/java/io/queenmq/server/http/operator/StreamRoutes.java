package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.text;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import io.queenmq.server.http.stream.QueryRoute;
import java.util.List;

/** The routes of stream queries for operators. */
final class StreamRoutes {
    private static final String QUERY = QueryRoute.PATH + "/:name";
    private static final String NO_QUERY = "there is no such query";

    private StreamRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(
                OperatorRoute.read(QueryRoute.PATH, Reach.LIST, "list_queries", "there is nothing to show",
                        query("limit", whole(1_000, 1, 1_000)), query("after", text())),
                OperatorRoute.read(QUERY, Reach.query(Right.READ), "show_query", NO_QUERY, path("name", requiredName()),
                        query("limit", whole(100, 1, 1_000)), query("after", text())),
                OperatorRoute.read(QUERY + "/partitions/:partition/state", Reach.query(Right.READ), "list_state",
                        "there is no such query, or it has not worked on that partition", path("name", requiredName()),
                        path("partition", requiredName()), query("prefix", text()), query("after", text()),
                        query("limit", whole(100, 1, 1_000))),
                OperatorRoute.change(POST, QUERY + "/reset", Access.READ_WRITE, Reach.query(Right.MANAGE),
                        "reset_query", NO_QUERY, actor(), path("name", requiredName())).withoutCatalogRefresh(),
                OperatorRoute.change(DELETE, QUERY, Access.ADMIN, Reach.query(Right.MANAGE), "delete_query", NO_QUERY,
                        actor(), path("name", requiredName())));
    }
}
