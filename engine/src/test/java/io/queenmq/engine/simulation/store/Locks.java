package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Rows that somebody's open transaction has locked. Statements that skip locked rows do nothing about them, or say that
 * they are busy; those that would wait end with 55P03.
 */
public final class Locks {
    private final Set<UUID> partitions = new HashSet<>();
    private final Set<UUID> partitionsOfUpkeep = new HashSet<>();
    private final Set<CursorTable.Key> cursors = new HashSet<>();
    private final Set<UUID> queues = new HashSet<>();
    /** Once for each who shares it. */
    private final List<UUID> sharedQueues = new ArrayList<>();

    /** As a push of an open transaction does. A partition that does not exist is being created by it. */
    public void lockPartition(UUID partitionId) {
        partitions.add(partitionId);
    }

    public void unlockPartition(UUID partitionId) {
        partitions.remove(partitionId);
        partitionsOfUpkeep.remove(partitionId);
    }

    /** As upkeep does while it works on a partition. */
    public void lockPartitionForUpkeep(UUID partitionId) {
        partitionsOfUpkeep.add(partitionId);
    }

    public void lockCursor(UUID partitionId, String group) {
        cursors.add(new CursorTable.Key(partitionId, group));
    }

    public void unlockCursor(UUID partitionId, String group) {
        cursors.remove(new CursorTable.Key(partitionId, group));
    }

    /** As whoever deletes the queue does; partitions and cursors are locked by themselves. */
    public void lockQueue(UUID queueId) {
        queues.add(queueId);
    }

    public void unlockQueue(UUID queueId) {
        queues.remove(queueId);
    }

    boolean isLocked(QueueRow queue) {
        return queues.contains(queue.id());
    }

    boolean isPartitionLocked(UUID partitionId) {
        return partitions.contains(partitionId) || partitionsOfUpkeep.contains(partitionId);
    }

    /** Upkeep keeps those away who come to the partition anew; others who lock a partition do not. */
    boolean isPartitionLockedByUpkeep(UUID partitionId) {
        return partitionsOfUpkeep.contains(partitionId);
    }

    boolean isLocked(Cursor cursor) {
        return cursors.contains(new CursorTable.Key(cursor.partition().id(), cursor.group()));
    }

    /** For a statement that would wait for the row: it is told that it waited too long. */
    void requireFree(Cursor cursor) {
        if (isLocked(cursor)) {
            throw SqlError.locked();
        }
    }

    void requireFree(Partition partition) {
        if (isPartitionLocked(partition.id())) {
            throw SqlError.locked();
        }
    }

    void requireFree(QueueRow queue) {
        if (isLocked(queue)) {
            throw SqlError.locked();
        }
    }

    /** Somebody is adding a partition to the queue, which therefore cannot be deleted. */
    void shareQueue(UUID queueId) {
        sharedQueues.add(queueId);
    }

    void unshareQueue(UUID queueId) {
        sharedQueues.remove(queueId);
    }

    void requireUnshared(QueueRow queue) {
        if (sharedQueues.contains(queue.id())) {
            throw SqlError.locked();
        }
    }
}
