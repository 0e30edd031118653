package io.queenmq.engine.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;

/**
 * A queue in the catalog.
 *
 * @param isPaused if true, no group can pop from the queue
 * @param pausedGroups the groups that cannot pop from the queue
 * @param revision incremented when an operator changes partitions, cursors or messages of the queue. If it differs, cached state
 *        of the partitions must be dropped
 */
public record Queue(UUID id, String name, String namespace, String task, QueueOptions options, boolean isPaused,
        Set<String> pausedGroups, long revision) {

    /** Returns true if the group may pop from the queue. */
    public boolean isOpenFor(String group) {
        return !isPaused && !pausedGroups.contains(group);
    }

    /** Returns the id of the partition with that name, even if it does not exist. It is the same on every server and in SQL. */
    public UUID partitionId(String partition) {
        byte[] name = partition.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(16 + name.length);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).put(name);
        return UUID.nameUUIDFromBytes(bytes.array());
    }
}
