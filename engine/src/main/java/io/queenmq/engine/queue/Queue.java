package io.queenmq.engine.queue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;

/**
 * A queue as the database knows it.
 *
 * @param isPaused nothing of it is handed out
 * @param pausedGroups groups to which nothing of it is handed out
 * @param revision another one means that an operator changed what is in the queue
 */
public record Queue(UUID id, String name, String namespace, String task, QueueOptions options, boolean isPaused,
        Set<String> pausedGroups, long revision) {

    /** Whether its messages may be handed out to the group. */
    public boolean isOpenFor(String group) {
        return !isPaused && !pausedGroups.contains(group);
    }

    /** The id of this queue's partition of that name, whether or not the partition exists: the same on every server and in SQL. */
    public UUID partitionId(String partition) {
        byte[] name = partition.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(16 + name.length);
        bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()).put(name);
        return UUID.nameUUIDFromBytes(bytes.array());
    }
}
