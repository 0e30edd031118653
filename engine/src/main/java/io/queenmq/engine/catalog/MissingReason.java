package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Determines the reason for which the partition of a lease is missing, from the catalog of this server. Owned by the
 * engine loop.
 */
public final class MissingReason {
    private final Catalog catalog;

    public MissingReason(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Returns the reason why the group has no cursor in the partition any more, as a text for the client. Never null. */
    public String ofGroup(String queue, String partition, UUID partitionId) {
        String reason = ofQueue(queue, partition, partitionId);
        // Another server may have just deleted the queue.
        return reason != null ? reason : "the lease is gone: its queue, partition or consumer group was deleted";
    }

    /** Returns a text for the client if the queue of the partition was deleted, or null if the queue exists. */
    public @Nullable String ofQueue(String queue, String partition, UUID partitionId) {
        return ofQueue(catalog.find(queue), queue, partition, partitionId);
    }

    /** @param known the queue that has the name now; null when there is none */
    static @Nullable String ofQueue(@Nullable Queue known, String queue, String partition, UUID partitionId) {
        if (known == null) {
            return "the queue " + queue + " was deleted";
        }
        return known.partitionId(partition).equals(partitionId)
                ? null
                : "the queue " + queue + " was deleted, and another one has its name now";
    }
}
