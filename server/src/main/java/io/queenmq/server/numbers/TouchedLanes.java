package io.queenmq.server.numbers;

import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
    record Batch(Map<UUID, String> queueByLane, Set<String> queues) {
        boolean isEmpty() {
            return queueByLane.isEmpty() && queues.isEmpty();
        }

        /** The part of each shard: lanes are in one, and queues may have lanes in all. */
        List<Batch> byShard(Shards shards) {
            if (shards.count() == 1) {
                return List.of(this);
            }
            List<Batch> parts = new ArrayList<>();
            for (int i = 0; i < shards.count(); i++) {
                parts.add(new Batch(new HashMap<>(), queues));
            }
            queueByLane.forEach((lane, queue) -> parts.get(shards.of(lane)).queueByLane.put(lane, queue));
            return parts;
        }
    }

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
