package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.UUID;

/** Says why what a lease covered is not there any more, as far as this server knows. Owned by the engine loop. */
public final class Absence {
    private final Catalog catalog;

    public Absence(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Why a group has no place in the partition any more, in words for whoever had a lease there. */
    public String ofGroup(String queue, String partition, UUID partitionId) {
        String gone = ofQueue(queue, partition, partitionId);
        // Another server may have deleted the queue a moment ago.
        return gone != null ? gone : "the lease is gone: its queue, partition or consumer group was deleted";
    }

    /** That the queue the partition belonged to was deleted; null when it stands. */
    public String ofQueue(String queue, String partition, UUID partitionId) {
        Queue now = catalog.find(queue);
        if (now == null) {
            return "the queue " + queue + " was deleted";
        }
        return now.partitionId(partition).equals(partitionId)
                ? null
                : "the queue " + queue + " was deleted, and another one has its name now";
    }
}
