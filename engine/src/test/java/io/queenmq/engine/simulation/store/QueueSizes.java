package io.queenmq.engine.simulation.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The table queen.queue_size: the sizes of queues with a maxSize. */
final class QueueSizes {
    private final Database database;
    private final Map<UUID, Size> sizes = new HashMap<>();

    /** An upper bound of the number of unfinished messages; null if unknown. */
    private static final class Size {
        private Long size;
        private long revision;
        private long doubtedUntil;
    }

    QueueSizes(Database database) {
        this.database = database;
    }

    void copyFrom(QueueSizes source) {
        sizes.clear();
        source.sizes.forEach((queueId, size) -> {
            Size copy = new Size();
            copy.size = size.size;
            copy.revision = size.revision;
            copy.doubtedUntil = size.doubtedUntil;
            sizes.put(queueId, copy);
        });
    }

    /** Sets a limit. Servers that have not loaded it push without it until the given time. */
    void limit(QueueRow queue, long doubtedUntil) {
        Size size = sizes.computeIfAbsent(queue.id(), _ -> new Size());
        size.size = null;
        size.doubtedUntil = doubtedUntil;
    }

    void delete(QueueRow queue) {
        sizes.remove(queue.id());
    }

    void forget(QueueRow queue) {
        Size size = sizes.get(queue.id());
        if (size != null) {
            size.size = null;
        }
    }

    boolean isKept(QueueRow queue) {
        return sizes.containsKey(queue.id());
    }

    /** Returns the size; null if unknown. */
    Long of(QueueRow queue) {
        return sizes.get(queue.id()).size;
    }

    /** Returns an upper bound of the unfinished messages of a queue to which messages will be appended. */
    long filled(QueueRow queue, long wanted, long now) {
        Size size = sizes.get(queue.id());
        boolean isDoubted = size.doubtedUntil > now || size.revision != queue.revision();
        boolean isTrusted = size.size != null && !isDoubted && (wanted == 0 || size.size + wanted <= queue.maxSize());
        if (isTrusted) {
            return size.size;
        }
        // Counting writes the row twice, and the foreign key of a row that is written twice in a transaction is checked.
        database.locks.requireFree(queue);
        return countUnfinished(queue);
    }

    void set(QueueRow queue, long filled) {
        Size size = sizes.get(queue.id());
        size.size = filled;
        size.revision = queue.revision();
    }

    /** Updates the size for a new cursor: messages that all other groups had finished are unfinished again. */
    void raise(List<Cursor> opened) {
        for (Cursor cursor : opened) {
            Size size = sizes.get(cursor.partition().queue().id());
            if (size != null && size.size != null) {
                database.cursors.of(cursor.partition()).stream().filter(other -> !opened.contains(other))
                        .mapToLong(other -> Math.max(other.committed(), other.acked().end())).min()
                        .ifPresent(reached -> size.size += Math.max(reached - cursor.committed(), 0));
            }
        }
    }

    private long countUnfinished(QueueRow queue) {
        long unfinished = 0;
        for (Partition partition : database.partitions.of(queue.id())) {
            Ranges finished = database.cursors.of(partition).stream()
                    .map(cursor -> cursor.acked().plus(Ranges.before(cursor.committed()))).reduce(Ranges::times)
                    .orElse(Ranges.NONE);
            unfinished += Ranges.of(partition.tail(), partition.head()).minus(finished.plus(partition.removed()))
                    .count();
        }
        return unfinished;
    }
}
