package io.queenmq.server.http.access;

import io.queenmq.engine.catalog.QueueDirectory;
import io.queenmq.engine.queue.Queue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Remembers which queue partitions belong to, so that acks need not ask the database each time. A partition belongs to one queue
 * for ever, because its id is made from the id of the queue; so an entry never becomes wrong. Bounded. Safe from any thread.
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

    /** Returns the queue of the partition, or null when that must be looked up. */
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
