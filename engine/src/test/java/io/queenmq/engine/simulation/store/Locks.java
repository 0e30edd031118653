package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Rows that another open transaction has locked. Statements that skip locked rows ignore them or report them as busy;
 * statements that would wait fail with 55P03.
 */
public final class Locks {
    private final Set<UUID> partitions = new HashSet<>();
    private final Set<UUID> partitionsOfUpkeep = new HashSet<>();
    private final Set<CursorTable.Key> cursors = new HashSet<>();
    private final Set<UUID> queues = new HashSet<>();
    /** Contains an element for each transaction that shares the lock. */
    private final List<UUID> sharedQueues = new ArrayList<>();

    /** Locks the partition like a push of an open transaction, which creates the partition if it does not exist. */
    public void lockPartition(UUID partitionId) {
        partitions.add(partitionId);
    }

    public void unlockPartition(UUID partitionId) {
        partitions.remove(partitionId);
        partitionsOfUpkeep.remove(partitionId);
    }

    /** Locks the partition like upkeep. */
    public void lockPartitionForUpkeep(UUID partitionId) {
        partitionsOfUpkeep.add(partitionId);
    }

    public void lockCursor(UUID partitionId, String group) {
        cursors.add(new CursorTable.Key(partitionId, group));
    }

    public void unlockCursor(UUID partitionId, String group) {
        cursors.remove(new CursorTable.Key(partitionId, group));
    }

    /** Locks the queue like its deletion. Partitions and cursors are locked separately. */
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

    /** Returns true if groups cannot open cursors in the partition. Only the lock of upkeep prevents that. */
    boolean isPartitionLockedByUpkeep(UUID partitionId) {
        return partitionsOfUpkeep.contains(partitionId);
    }

    boolean isLocked(Cursor cursor) {
        return cursors.contains(new CursorTable.Key(cursor.partition().id(), cursor.group()));
    }

    /** Fails a statement that would wait for the row, with a lock timeout. */
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

    /** Returns true if a transaction creates a partition in the queue, so that the queue cannot be deleted. */
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
