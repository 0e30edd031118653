package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What is in the database, and all that ever was: for those who judge what servers said. */
public final class Truth {
    private final Database database;
    private final Lost lost;

    Truth(Database database, Lost lost) {
        this.lost = lost;
        this.database = database;
    }

    /** Messages that were stored and lost again, by id. One that was lost twice is there once. */
    public Map<UUID, StoredMessage> lostMessages() {
        return lost.messages();
    }

    /** Leases that were given and lost again. */
    public List<LeaseSpan> lostLeases() {
        return lost.leases();
    }

    /** Every message that was ever stored, by partition and in the order of offsets. */
    public Map<UUID, List<StoredMessage>> messages() {
        return database.messages.byPartition();
    }

    /** Every lease that was ever given, in order. */
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
        return database.cursors.all().stream().map(cursor -> new CursorState(cursor.partition().id(), cursor.group(),
                cursor.committed(), cursor.acked(), cursor.leaseId(), cursor.leaseUntil(), cursor.leaseEnd(),
                Map.copyOf(cursor.failures()), cursor.retryAt(), cursor.completedCount(), cursor.deadCount(),
                cursor.skippedCount(), cursor.expiredCount())).toList();
    }

    /** The id of a partition, whether or not it exists; null where there is no such queue. */
    public UUID partitionId(String queue, String partition) {
        QueueRow row = database.catalog.find(queue);
        return row == null ? null : PartitionTable.idOf(row.id(), partition);
    }

    /** @param removed offsets from the tail on that an operator removed, and perhaps some before it */
    public record PartitionState(UUID id, String queue, String name, long head, long tail, Ranges removed,
            boolean isPaused) {}

    /**
     * @param committed the first offset the group has not finished
     * @param acked what it finished ahead of that
     * @param leaseUntil microseconds since 1970, as all moments here
     * @param failures of unfinished messages, by offset
     */
    public record CursorState(UUID partitionId, String group, long committed, Ranges acked, UUID leaseId,
            Long leaseUntil,
            Long leaseEnd, Map<Long, Failure> failures, Long retryAt, long completed, long dead, long skipped,
            long expired) {
        public boolean isFinished(long offset) {
            return offset < committed || acked.contains(offset);
        }
    }
}
