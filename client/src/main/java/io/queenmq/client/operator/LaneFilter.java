package io.queenmq.client.operator;

import io.queenmq.client.wire.Query;
import org.jspecify.annotations.Nullable;

/**
 * Which lanes to list. Immutable; null stands for any.
 *
 * @param search a part of the lane's name
 * @param group whose state to show; null for each lane's slowest one
 * @param isDeepestFirst in one queue, as last counted, without further pages; else by name
 * @param after {@code next} of the page before
 */
public record LaneFilter(@Nullable String queue, @Nullable String search, @Nullable String group,
        boolean isDeepestFirst, int limit, @Nullable String after) {
    public static LaneFilter any() {
        return new LaneFilter(null, null, null, false, 100, null);
    }

    public LaneFilter queue(@Nullable String queue) {
        return new LaneFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public LaneFilter search(@Nullable String search) {
        return new LaneFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public LaneFilter group(@Nullable String group) {
        return new LaneFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public LaneFilter deepestFirst() {
        return new LaneFilter(queue, search, group, true, limit, after);
    }

    public LaneFilter page(int limit, @Nullable String after) {
        return new LaneFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    String query() {
        return new Query().add("queue", queue).add("search", search).add("consumerGroup", group)
                .add("sort", isDeepestFirst ? "lag" : null).add("limit", limit).add("after", after).toString();
    }
}
