package io.queenmq.client.operator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list of partitions.
 *
 * @param next to be given as {@code after} for the following part; null at the end. A part may be empty and not the last
 */
public record PartitionPage(List<PartitionSummary> partitions, @Nullable String next) {
    public PartitionPage {
        partitions = List.copyOf(partitions);
    }
}
