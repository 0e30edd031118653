package io.queenmq.engine.simulation.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The partitions, by id. */
final class PartitionTable {
    private final Map<UUID, Partition> partitions = new LinkedHashMap<>();

    /** Returns the copies by id. */
    Map<UUID, Partition> copyFrom(PartitionTable source, Map<UUID, QueueRow> queues) {
        partitions.clear();
        source.partitions.values().forEach(partition -> add(partition.copy(queues.get(partition.queue().id()))));
        return partitions;
    }

    /** Returns the partition, or null. */
    Partition find(UUID id) {
        return id == null ? null : partitions.get(id);
    }

    Partition find(QueueRow queue, String name) {
        return find(idOf(queue.id(), name));
    }

    Partition create(UUID id, QueueRow queue, String name, long now) {
        return partitions.computeIfAbsent(id, _ -> new Partition(id, queue, name, now));
    }

    void add(Partition partition) {
        partitions.put(partition.id(), partition);
    }

    void delete(Partition partition) {
        partitions.remove(partition.id());
    }

    Collection<Partition> all() {
        return partitions.values();
    }

    /** Returns the partitions of a queue, by name. */
    List<Partition> of(UUID queueId) {
        List<Partition> found = new ArrayList<>(
                partitions.values().stream().filter(partition -> partition.queue().id().equals(queueId)).toList());
        found.sort(Comparator.comparing(Partition::name));
        return found;
    }

    /** Returns the id of a partition, which is derived from its queue's id and its name. */
    static UUID idOf(UUID queueId, String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(ByteBuffer.allocate(16 + text.length).putLong(queueId.getMostSignificantBits())
                .putLong(queueId.getLeastSignificantBits()).put(text).array());
    }
}
