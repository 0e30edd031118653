package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * The queues of earlier histories of the database that the current history may not have. Owned by the engine loop.
 */
final class LostQueues {
    private final Set<UUID> ids = new HashSet<>();

    /** @param known the queues as of the history that ended */
    void historyChanged(Collection<Queue> known) {
        known.forEach(queue -> ids.add(queue.id()));
    }

    /** @param read the queues of the current history */
    void found(Collection<Queue> read) {
        read.forEach(queue -> ids.remove(queue.id()));
    }

    boolean contains(UUID queueId) {
        return ids.contains(queueId);
    }
}
