package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The operations of upkeep on one partition: the routines apply_retention and delete_idle_partitions. A locked
 * partition is skipped.
 */
public final class Upkeep {
    private static final int SEGMENTS_MAX = 100;
    private static final long DAY = 86_400 * Moments.SECOND;

    private final Database database;
    private final Progress progress;
    private final Returning returning;

    Upkeep(Database database, Progress progress, Returning returning) {
        this.database = database;
        this.progress = progress;
        this.returning = returning;
    }

    /** Removes messages beyond the retention of the queue; never one under a live lease. */
    public void applyRetention(UUID partitionId) {
        Partition partition = database.partitions.find(partitionId);
        if (partition == null || !take(partition)) {
            return;
        }
        long tail = Long.MIN_VALUE;
        long now = database.now();
        QueueRow queue = partition.queue();
        long leasedFrom = database.cursors.of(partition).stream().filter(cursor -> cursor.isLive(now))
                .mapToLong(Cursor::committed).min().orElse(partition.head());
        OptionalLong finishedTo = safePoint(partition);
        for (Segment segment : oldest(partition)) {
            boolean isKeptTooLong = isOlder(segment, queue.retentionSeconds(), now) && segment.end() <= leasedFrom;
            boolean isDoneTooLong = isOlder(segment, queue.completedRetentionSeconds(), now) && finishedTo.isPresent()
                    && segment.end() <= finishedTo.getAsLong();
            if (isKeptTooLong || isDoneTooLong) {
                tail = segment.end();
            }
        }
        if (tail > Long.MIN_VALUE) {
            trim(partition, tail);
        }
    }

    /** Removes the oldest messages of a partition, up to an offset. Groups that had not finished them skip them. */
    public void trim(UUID partitionId, long tail) {
        Partition partition = database.partitions.find(partitionId);
        if (partition != null && take(partition)) {
            long now = database.now();
            long free = database.cursors.of(partition).stream().filter(cursor -> cursor.isLive(now))
                    .mapToLong(Cursor::committed).min().orElse(partition.head());
            trim(partition, Math.min(tail, free));
        }
    }

    private void trim(Partition partition, long tail) {
        database.cursors.of(partition).forEach(cursor -> progress.skipTo(cursor, tail, null));
        partition.moveTail(tail);
    }

    /** Deletes an empty partition that was idle for this number of days. Returns true if it was deleted. */
    public boolean deleteIdle(UUID partitionId, int days) {
        Partition partition = database.partitions.find(partitionId);
        long now = database.now();
        if (partition == null || database.locks.isLocked(partition.queue()) || !take(partition)
                || partition.head() != partition.tail() || partition.activeAt() > now - days * DAY
                || partition.isPaused() || database.deadLetters.hasOf(partition)
                || database.cursors.of(partition).stream().anyMatch(cursor -> cursor.isLive(now))) {
            return false;
        }
        partition.queue().raisePartitionFloor(partition.head());
        database.cursors.of(partition).forEach(cursor -> database.cursors.delete(cursor, now));
        database.partitions.delete(partition);
        return true;
    }

    /** Returns true if the partition is not locked, and ends its expired leases. */
    private boolean take(Partition partition) {
        if (database.locks.isPartitionLocked(partition.id())) {
            return false;
        }
        long now = database.now();
        for (Cursor cursor : database.cursors.of(partition)) {
            if (!database.locks.isLocked(cursor) && cursor.isHeld() && !cursor.isLive(now)) {
                returning.expire(cursor, now);
            }
        }
        return database.cursors.of(partition).stream().noneMatch(database.locks::isLocked);
    }

    private static boolean isOlder(Segment segment, Integer seconds, long now) {
        return seconds != null && segment.createdAt() <= now - seconds * Moments.SECOND;
    }

    private static List<Segment> oldest(Partition partition) {
        long first = partition.removed().isEmpty()
                ? partition.tail()
                : Math.min(partition.tail(), partition.removed().bounds()[0]);
        List<Segment> oldest = new ArrayList<>();
        for (Segment segment : partition.segmentsFrom(first)) {
            if (oldest.size() < SEGMENTS_MAX) {
                oldest.add(segment);
            }
        }
        return oldest;
    }

    /** Returns the first offset that a group of the queue may still need; empty if no group reads it. */
    private OptionalLong safePoint(Partition partition) {
        List<Long> places = new ArrayList<>();
        database.cursors.of(partition).forEach(cursor -> places.add(cursor.committed()));
        database.subscriptions.all().forEach(each -> {
            if (each.getKey().covers(partition.queue())
                    && database.cursors.find(partition.id(), each.getKey().group()) == null) {
                places.add(each.getValue().mode().equals("timestamp")
                        ? partition.offsetAt(each.getValue().fromAt())
                        : partition.tail());
            }
        });
        return places.stream().mapToLong(Long::longValue).min();
    }
}
