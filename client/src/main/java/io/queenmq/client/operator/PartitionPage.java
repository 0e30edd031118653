package io.queenmq.client.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list of partitions.
 *
 * @param next the value of {@code after} for the next page; null at the end. A page may be empty without being the last
 */
public record PartitionPage(List<PartitionSummary> partitions, @Nullable String next) {
    public PartitionPage {
        partitions = List.copyOf(partitions);
    }
}
