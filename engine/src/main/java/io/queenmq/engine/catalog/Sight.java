package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.List;
import java.util.Map;

/** What a look at the catalog has read. */
sealed interface Sight {
    /** Nothing has changed. */
    record Same() implements Sight {}

    /** @param partitions null when they could not be read */
    record Changed(CatalogState now, Map<String, Queue> queues, List<QueueRoutines.RevisedPartition> partitions)
            implements
                Sight {}
}
