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
 * The partitions that calls of this server have changed since the last report, each once. Beyond the maximum, only the
 * queues of partitions are recorded. Owned by the engine loop.
 */
final class TouchedPartitions {
    /** Bounds the size of the stored row. */
    static final int PARTITIONS_MAX = 50_000;

    private Map<UUID, String> queueByPartition = new HashMap<>();
    private Set<String> queues = new HashSet<>();

    /**
     * The collected partitions.
     *
     * @param queues queues of which any partition may have been touched
     */
    record Batch(Map<UUID, String> queueByPartition, Set<String> queues) {
        boolean isEmpty() {
            return queueByPartition.isEmpty() && queues.isEmpty();
        }

        /** Splits the batch by shard. A partition is in one shard; a queue may have partitions in all shards. */
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

    /** Returns and removes all collected partitions. */
    Batch take() {
        Batch taken = new Batch(queueByPartition, queues);
        queueByPartition = new HashMap<>();
        queues = new HashSet<>();
        return taken;
    }

    /** Adds the partitions of a batch that could not be stored. */
    void restore(Batch batch) {
        batch.queueByPartition.forEach((partition, queue) -> add(queue, partition));
        queues.addAll(batch.queues);
    }
}
