package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The current and all former content of the database, to check the responses of servers. */
public final class StoredContent {
    private final Database database;
    private final Lost lost;

    StoredContent(Database database, Lost lost) {
        this.lost = lost;
        this.database = database;
    }

    /** Returns the messages that were stored and lost, by id. A message that was lost twice occurs once. */
    public Map<UUID, StoredMessage> lostMessages() {
        return lost.messages();
    }

    /** Returns the leases that were acquired and lost. */
    public List<LeaseSpan> lostLeases() {
        return lost.leases();
    }

    /** Returns every message that was ever stored, by partition and in the order of offsets. */
    public Map<UUID, List<StoredMessage>> messages() {
        return database.messages.byPartition();
    }

    /** Returns every lease that was ever acquired, in order. */
    public List<LeaseSpan> leases() {
        return database.leaseLog.spans();
    }

    public List<DeadLetter> deadLetters() {
        return List.copyOf(database.deadLetters.all());
    }

    public List<PartitionState> partitions() {
        return database.partitions.all().stream()
                .map(partition -> new PartitionState(partition.id(), partition.queue().name(), partition.name(),
                        partition.head(), partition.tail(), partition.removed(), partition.isPaused()))
                .toList();
    }

    public List<CursorState> cursors() {
        return database.cursors.all().stream()
                .map(cursor -> new CursorState(cursor.partition().id(), cursor.group(), cursor.committed(),
                        cursor.acked(), cursor.leaseId(), cursor.leaseUntil(), cursor.leaseEnd(),
                        Map.copyOf(cursor.failures()), cursor.retryAt(), cursor.completedCount(), cursor.deadCount(),
                        cursor.skippedCount(), cursor.expiredCount()))
                .toList();
    }

    /** Returns the id of a partition, even if it does not exist; null if the queue does not exist. */
    public UUID partitionId(String queue, String partition) {
        QueueRow row = database.catalog.find(queue);
        return row == null ? null : PartitionTable.idOf(row.id(), partition);
    }

    /** @param removed offsets that an operator removed, from the tail on and possibly before it */
    public record PartitionState(UUID id, String queue, String name, long head, long tail, Ranges removed,
            boolean isPaused) {}

    /**
     * @param committed the first offset that the group has not finished
     * @param acked the finished offsets after committed
     * @param leaseUntil in microseconds since 1970, like all times here
     * @param failures of unfinished messages, by offset
     */
    public record CursorState(UUID partitionId, String group, long committed, Ranges acked, UUID leaseId,
            Long leaseUntil, Long leaseEnd, Map<Long, Failure> failures, Long retryAt, long completed, long dead,
            long skipped, long expired) {
        public boolean isFinished(long offset) {
            return offset < committed || acked.contains(offset);
        }
    }
}
