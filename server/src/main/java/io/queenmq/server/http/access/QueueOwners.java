package io.queenmq.server.http.access;

import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.queue.Queue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Caches the queues of partitions, so that acks need no database query. Entries never become invalid: the id of a partition is
 * derived from the id of its queue, so its queue cannot change. Bounded. Safe from any thread.
 */
final class QueueOwners {
    private static final int PARTITIONS_MAX = 100_000;

    private final QueueDirectory queues;
    private final Map<UUID, UUID> queueOf = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, UUID> eldest) {
            return size() > PARTITIONS_MAX;
        }
    };

    QueueOwners(QueueDirectory queues) {
        this.queues = queues;
    }

    /** Returns the queue of the partition, or null if it is not cached. */
    @Nullable
    Queue find(UUID partitionId) {
        UUID queueId;
        synchronized (queueOf) {
            queueId = queueOf.get(partitionId);
        }
        return queueId == null ? null : queues.find(queueId);
    }

    void add(UUID partitionId, UUID queueId) {
        synchronized (queueOf) {
            queueOf.put(partitionId, queueId);
        }
    }
}
