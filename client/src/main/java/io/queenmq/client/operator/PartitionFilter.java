package io.queenmq.client.operator;

import io.queenmq.client.wire.Query;
import org.jspecify.annotations.Nullable;

/**
 * Selects partitions. Immutable; null matches any.
 *
 * @param search a part of the partition's name
 * @param group the group whose state is returned; null for the slowest group of each partition
 * @param isDeepestFirst true to sort one queue by depth as last counted, without further pages; false to sort by name
 * @param after {@code next} of the previous page
 */
public record PartitionFilter(@Nullable String queue, @Nullable String search, @Nullable String group,
        boolean isDeepestFirst, int limit, @Nullable String after) {
    public static PartitionFilter any() {
        return new PartitionFilter(null, null, null, false, 100, null);
    }

    public PartitionFilter queue(@Nullable String queue) {
        return new PartitionFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public PartitionFilter search(@Nullable String search) {
        return new PartitionFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public PartitionFilter group(@Nullable String group) {
        return new PartitionFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    public PartitionFilter deepestFirst() {
        return new PartitionFilter(queue, search, group, true, limit, after);
    }

    public PartitionFilter page(int limit, @Nullable String after) {
        return new PartitionFilter(queue, search, group, isDeepestFirst, limit, after);
    }

    String query() {
        return new Query().add("queue", queue).add("search", search).add("consumerGroup", group)
                .add("sort", isDeepestFirst ? "lag" : null).add("limit", limit).add("after", after).toString();
    }
}
