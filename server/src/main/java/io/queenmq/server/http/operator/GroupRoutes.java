package io.queenmq.server.http.operator;

import static io.queenmq.server.http.operator.Parameter.actor;
import static io.queenmq.server.http.operator.Parameter.body;
import static io.queenmq.server.http.operator.Parameter.constant;
import static io.queenmq.server.http.operator.Parameter.flag;
import static io.queenmq.server.http.operator.Parameter.optionalName;
import static io.queenmq.server.http.operator.Parameter.path;
import static io.queenmq.server.http.operator.Parameter.query;
import static io.queenmq.server.http.operator.Parameter.requiredName;
import static io.queenmq.server.http.operator.Parameter.timestamp;
import static io.queenmq.server.http.operator.Parameter.whole;
import static io.queenmq.server.http.operator.Parameter.wholeOrNull;
import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.POST;

import io.queenmq.server.auth.Right;
import io.queenmq.server.http.access.Access;
import io.queenmq.server.http.access.Reach;
import java.util.List;

/** The routes of consumer groups for operators. */
final class GroupRoutes {
    private static final String GROUPS = "/api/v1/consumer-groups";
    private static final String GROUP = GROUPS + "/:group";
    private static final String QUEUE = GROUP + "/queues/:queue";
    private static final String PARTITION = QUEUE + "/partitions/:partition";
    private static final String NO_QUEUE = "there is no such queue";
    private static final String NO_READER = "there is no such queue, or the group does not read it";
    private static final String NO_PARTITION = "there is no such partition, or the group does not read its queue";
    private static final String NOTHING = "there is nothing to show";

    private GroupRoutes() {}

    static List<OperatorRoute> all() {
        return List.of(
                OperatorRoute.read(GROUPS, Reach.LIST, "list_groups", NOTHING, query("limit", whole(10_000, 1, 10_000)),
                        query("offset", whole(0, 0, 100_000_000))),
                OperatorRoute.read(GROUPS + "/lagging", Reach.LIST, "list_lagging", NOTHING,
                        query("minLagSeconds", whole(3_600, 0, 1_000_000_000)),
                        query("limit", whole(1_000, 1, 10_000))),
                OperatorRoute.read(GROUP, Reach.LIST, "show_group", NOTHING, group(), query("queue", optionalName()),
                        query("limit", whole(1_000, 1, 10_000)), query("after", Parameter.text())),
                OperatorRoute.change(DELETE, GROUP, Access.ADMIN, Reach.everyQueue(Right.MANAGE), "delete_group",
                        NOTHING, actor(), group(), constant(null), query("deleteMetadata", flag(true))),
                OperatorRoute.change(DELETE, QUEUE, Access.ADMIN, Reach.queue(Right.MANAGE), "delete_group", NO_QUEUE,
                        actor(), group(), queue(), query("deleteMetadata", flag(true))),
                OperatorRoute.change(POST, GROUP + "/subscription", Access.READ_WRITE, Reach.everyQueue(Right.MANAGE),
                        "change_subscription", NOTHING, actor(), group(), body("subscriptionTimestamp", timestamp())),
                OperatorRoute.change(POST, QUEUE + "/seek", Access.READ_WRITE, Reach.queue(Right.MANAGE), "seek_queue",
                        NO_READER, actor(), group(), queue(), body("toEnd", flag(false)),
                        body("toBeginning", flag(false)), body("timestamp", timestamp()),
                        body("readerOnly", flag(false))),
                OperatorRoute.change(POST, PARTITION + "/seek", Access.READ_WRITE, Reach.queue(Right.MANAGE),
                        "seek_partition", NO_PARTITION, actor(), group(), queue(), partition(),
                        body("toEnd", flag(false)), body("toBeginning", flag(false)), body("timestamp", timestamp()),
                        body("offset", wholeOrNull(0, Long.MAX_VALUE)), body("readerOnly", flag(false))),
                OperatorRoute.change(POST, PARTITION + "/skip", Access.READ_WRITE, Reach.queue(Right.MANAGE),
                        "skip_message", NO_PARTITION, actor(), group(), queue(), partition(),
                        body("toDlq", flag(false))),
                pause("pause", true), pause("resume", false));
    }

    private static OperatorRoute pause(String word, boolean isPaused) {
        return OperatorRoute.change(POST, QUEUE + "/" + word, Access.READ_WRITE, Reach.queue(Right.MANAGE),
                "pause_group", NO_QUEUE, actor(), group(), queue(), constant(isPaused));
    }

    private static Parameter group() {
        return path("group", requiredName());
    }

    private static Parameter queue() {
        return path("queue", requiredName());
    }

    private static Parameter partition() {
        return path("partition", requiredName());
    }
}
