package io.queenmq.server.simulation.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The lanes, by id. */
final class LaneTable {
    private final Map<UUID, Lane> lanes = new LinkedHashMap<>();

    /** Returns the copies by id. */
    Map<UUID, Lane> copyFrom(LaneTable source, Map<UUID, QueueRow> queues) {
        lanes.clear();
        source.lanes.values().forEach(lane -> add(lane.copy(queues.get(lane.queue().id()))));
        return lanes;
    }

    /** The lane, or null. */
    Lane find(UUID id) {
        return id == null ? null : lanes.get(id);
    }

    Lane find(QueueRow queue, String name) {
        return find(idOf(queue.id(), name));
    }

    Lane create(UUID id, QueueRow queue, String name, long now) {
        return lanes.computeIfAbsent(id, _ -> new Lane(id, queue, name, now));
    }

    void add(Lane lane) {
        lanes.put(lane.id(), lane);
    }

    void delete(Lane lane) {
        lanes.remove(lane.id());
    }

    Collection<Lane> all() {
        return lanes.values();
    }

    /** The lanes of a queue, by name. */
    List<Lane> of(UUID queueId) {
        List<Lane> found = new ArrayList<>(lanes.values().stream()
                .filter(lane -> lane.queue().id().equals(queueId)).toList());
        found.sort(Comparator.comparing(Lane::name));
        return found;
    }

    /** The id of a lane follows from its queue's id and its name. */
    static UUID idOf(UUID queueId, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(ByteBuffer.allocate(16 + text.length)
                .putLong(queueId.getMostSignificantBits()).putLong(queueId.getLeastSignificantBits()).put(text)
                .array());
    }
}
