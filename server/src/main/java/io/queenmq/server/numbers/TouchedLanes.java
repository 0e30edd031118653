package io.queenmq.server.numbers;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The lanes in which calls of this server changed something since they were last taken, each once. Of those that do not fit
 * only the queues are known. Owned by the engine loop.
 */
final class TouchedLanes {
    /** More would be a large row to write, and soon all lanes of their queues. */
    static final int LANES_MAX = 50_000;

    private Map<UUID, String> queueByLane = new HashMap<>();
    private Set<String> queues = new HashSet<>();

    /**
     * What was collected.
     *
     * @param queues those of which any lane may have been touched
     */
    record Batch(Map<UUID, String> queueByLane, Set<String> queues) {}

    void add(String queue, UUID lane) {
        if (queueByLane.size() < LANES_MAX) {
            queueByLane.put(lane, queue);
        } else if (!queueByLane.containsKey(lane)) {
            queues.add(queue);
        }
    }

    boolean isEmpty() {
        return queueByLane.isEmpty() && queues.isEmpty();
    }

    /** Everything so far; collecting begins anew. */
    Batch take() {
        Batch taken = new Batch(queueByLane, queues);
        queueByLane = new HashMap<>();
        queues = new HashSet<>();
        return taken;
    }

    /** What was taken could not be written down, and is collected again. */
    void putBack(Batch batch) {
        batch.queueByLane.forEach((lane, queue) -> add(queue, lane));
        queues.addAll(batch.queues);
    }
}
