package io.queenmq.engine.catalog;

import io.queenmq.engine.queue.Queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cached queues, for threads other than the engine loop. Changes through this server are visible at once, those of
 * other servers within a second. Written by the engine loop only; safe to read from any thread.
 */
public final class QueueDirectory {
    private final Map<String, Queue> byName = new ConcurrentHashMap<>();
    private final Map<UUID, Queue> byId = new ConcurrentHashMap<>();

    /** @param before the queue that had the name before; null when there was none */
    public void put(@Nullable Queue before, Queue queue) {
        if (before != null && !before.id().equals(queue.id())) {
            byId.remove(before.id());
        }
        byId.put(queue.id(), queue);
        byName.put(queue.name(), queue);
    }

    void remove(Queue queue) {
        byName.remove(queue.name());
        byId.remove(queue.id());
    }

    /** Returns the queue, or null when there is none. */
    public @Nullable Queue find(UUID id) {
        return byId.get(id);
    }

    /** Returns the namespace of the queue; for a queue that does not exist, the one that its first push would assign. */
    public String namespaceOf(String name) {
        Queue queue = byName.get(name);
        return queue == null ? Creation.namespaceOf(name) : queue.namespace();
    }

    /** Returns the queue's namespace, or null when there is no such queue. */
    public @Nullable String namespaceOrNull(String name) {
        Queue queue = byName.get(name);
        return queue == null ? null : queue.namespace();
    }

    /** Returns the ids of the queues for which the condition is true. */
    public List<UUID> ids(Predicate<Queue> condition) {
        List<UUID> ids = new ArrayList<>();
        for (Queue queue : byId.values()) {
            if (condition.test(queue)) {
                ids.add(queue.id());
            }
        }
        return ids;
    }
}
