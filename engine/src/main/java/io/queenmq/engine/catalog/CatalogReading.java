package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of reading the catalog from the database. */
sealed interface CatalogReading {
    /** Nothing has changed since the last reading. */
    record Unchanged() implements CatalogReading {}

    /**
     * The catalog as it is in the database now.
     *
     * @param queues all queues, by name
     * @param partitions the partitions revised since the last reading; null when they could not be read
     */
    record Changed(CatalogState now, Map<String, Queue> queues,
            @Nullable List<QueueRoutines.RevisedPartition> partitions) implements CatalogReading {}
}
