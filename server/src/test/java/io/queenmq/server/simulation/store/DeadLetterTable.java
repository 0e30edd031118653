package io.queenmq.server.simulation.store;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** What groups gave up on. */
final class DeadLetterTable {
    private final Map<Key, DeadLetter> letters = new LinkedHashMap<>();

    private record Key(UUID laneId, String group, long offset) {}

    /** Keeps a copy of a message; nothing where it is not kept any more. */
    void bury(Lane lane, String group, long offset, int attempts, String error, long now) {
        Segment segment = lane.segmentAt(offset);
        if (segment == null || offset >= segment.end()) {
            return;
        }
        String line = segment.lines().get((int) (offset - segment.base()));
        DeadLetter fresh = new DeadLetter(lane.id(), group, offset, lane.queue().id(), lane.name(),
                MessageLog.field(line, "transactionId"), line, error, attempts, segment.createdAt(), now);
        letters.put(new Key(lane.id(), group, offset), fresh);
    }

    void copyFrom(DeadLetterTable source) {
        letters.clear();
        letters.putAll(source.letters);
    }

    void deleteOf(QueueRow queue) {
        letters.values().removeIf(letter -> letter.queueId().equals(queue.id()));
    }

    boolean hasOf(Lane lane) {
        return letters.values().stream().anyMatch(letter -> letter.laneId().equals(lane.id()));
    }

    Collection<DeadLetter> all() {
        return letters.values();
    }
}
