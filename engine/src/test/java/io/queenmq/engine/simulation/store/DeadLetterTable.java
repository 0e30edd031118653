package io.queenmq.engine.simulation.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** The dead letters of all groups. */
final class DeadLetterTable {
    private final Map<Key, DeadLetter> letters = new LinkedHashMap<>();

    private record Key(UUID partitionId, String group, long offset) {}

    /** Stores a copy of a message, unless it is not stored any more. */
    void add(Partition partition, String group, long offset, int attempts, String error, long now) {
        Segment segment = partition.segmentAt(offset);
        if (segment == null || offset >= segment.end()) {
            return;
        }
        String line = segment.lines().get((int) (offset - segment.base()));
        DeadLetter fresh = new DeadLetter(partition.id(), group, offset, partition.queue().id(), partition.name(),
                MessageLog.field(line, "transactionId"), line, error, attempts, segment.createdAt(), now);
        letters.put(new Key(partition.id(), group, offset), fresh);
    }

    void copyFrom(DeadLetterTable source) {
        letters.clear();
        letters.putAll(source.letters);
    }

    void deleteOf(QueueRow queue) {
        letters.values().removeIf(letter -> letter.queueId().equals(queue.id()));
    }

    boolean hasOf(Partition partition) {
        return letters.values().stream().anyMatch(letter -> letter.partitionId().equals(partition.id()));
    }

    Collection<DeadLetter> all() {
        return letters.values();
    }
}
