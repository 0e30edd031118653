package io.queenmq.engine.cluster;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionEvents;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Collects events of partitions until they are sent, and selects those that a peer subscribes to. Bounded: for queues
 * with too many partitions only the queue is recorded. Owned by the engine loop.
 */
final class HintBuffer {
    /** Bounds one hint well below the limit of the transport, even with long names of partitions. */
    private static final int CHARACTERS_MAX = 32_000;
    private static final int CHARACTERS_PER_PARTITION = 24;

    private final Map<String, QueueEvents> byQueue = new LinkedHashMap<>();
    private int remaining = CHARACTERS_MAX;

    void pushed(Queue queue, String partition, long head) {
        QueueEvents events = eventsOf(queue.name());
        if (!queue.id().equals(events.queueId)) {
            events.heads.clear();
            events.queueId = queue.id();
        }
        if (events.heads.containsKey(partition) || reserve(events, partition)) {
            events.heads.merge(partition, head, Math::max);
        }
    }

    void freed(String queue, UUID partitionId, String group) {
        QueueEvents events = eventsOf(queue);
        FreePartition partition = new FreePartition(partitionId, group);
        if (!events.freed.contains(partition) && reserve(events, group)) {
            events.freed.add(partition);
        }
    }

    private QueueEvents eventsOf(String queue) {
        return byQueue.computeIfAbsent(queue, _ -> new QueueEvents());
    }

    private boolean reserve(QueueEvents events, String name) {
        int needed = name.length() + CHARACTERS_PER_PARTITION;
        events.isOverflowing |= needed > remaining;
        if (!events.isOverflowing) {
            remaining -= needed;
        }
        return !events.isOverflowing;
    }

    boolean isEmpty() {
        return byQueue.isEmpty();
    }

    void clear() {
        byQueue.clear();
        remaining = CHARACTERS_MAX;
    }

    /** Returns the hints for a peer with this introduction. */
    List<Hint> hintsFor(Introduction reader) {
        List<Hint> hints = new ArrayList<>(1);
        List<PushedQueue> pushed = new ArrayList<>(1);
        List<FreePartition> freed = new ArrayList<>(0);
        byQueue.forEach((queue, events) -> {
            if (reader.isInterestedIn(queue)) {
                if (events.isOverflowing) {
                    hints.add(new Arrival(queue, null));
                } else {
                    if (!events.heads.isEmpty()) {
                        pushed.add(events.pushed(queue));
                    }
                    freed.addAll(events.freed);
                }
            }
        });
        if (!pushed.isEmpty() || !freed.isEmpty()) {
            hints.add(new PartitionEvents(pushed, freed));
        }
        return hints;
    }

    /** The events of the partitions of one queue. */
    private static final class QueueEvents {
        private final Map<String, Long> heads = new LinkedHashMap<>();
        private final Set<FreePartition> freed = new LinkedHashSet<>();
        private @Nullable UUID queueId;
        private boolean isOverflowing;

        PushedQueue pushed(String queue) {
            return new PushedQueue(queue, Objects.requireNonNull(queueId),
                    heads.entrySet().stream().map(each -> new PartitionHead(each.getKey(), each.getValue())).toList());
        }
    }
}
