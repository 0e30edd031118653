package io.queenmq.engine.numbers;

import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The partitions in which calls of this server changed something since they were last taken, each once. Of those that do not fit
 * only the queues are known. Owned by the engine loop.
 */
final class TouchedPartitions {
    /** More would be a large row to write, and soon all partitions of their queues. */
    static final int PARTITIONS_MAX = 50_000;

    private Map<UUID, String> queueByPartition = new HashMap<>();
    private Set<String> queues = new HashSet<>();

    /**
     * What was collected.
     *
     * @param queues those of which any partition may have been touched
     */
    record Batch(Map<UUID, String> queueByPartition, Set<String> queues) {
        boolean isEmpty() {
            return queueByPartition.isEmpty() && queues.isEmpty();
        }

        /** The part of each shard: partitions are in one, and queues may have partitions in all. */
        List<Batch> byShard(Shards shards) {
            if (shards.count() == 1) {
                return List.of(this);
            }
            List<Batch> parts = new ArrayList<>();
            for (int i = 0; i < shards.count(); i++) {
                parts.add(new Batch(new HashMap<>(), queues));
            }
            queueByPartition.forEach(
                    (partition, queue) -> parts.get(shards.of(partition)).queueByPartition.put(partition, queue));
            return parts;
        }
    }

    void add(String queue, UUID partition) {
        if (queueByPartition.size() < PARTITIONS_MAX) {
            queueByPartition.put(partition, queue);
        } else if (!queueByPartition.containsKey(partition)) {
            queues.add(queue);
        }
    }

    boolean isEmpty() {
        return queueByPartition.isEmpty() && queues.isEmpty();
    }

    /** Everything so far; collecting begins anew. */
    Batch take() {
        Batch taken = new Batch(queueByPartition, queues);
        queueByPartition = new HashMap<>();
        queues = new HashSet<>();
        return taken;
    }

    /** What was taken could not be written down, and is collected again. */
    void putBack(Batch batch) {
        batch.queueByPartition.forEach((partition, queue) -> add(queue, partition));
        queues.addAll(batch.queues);
    }
}
