package io.queenmq.engine.simulation.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** queen.queue_size: how full queues with a maxSize are. */
final class QueueSizes {
    private final Database database;
    private final Map<UUID, Size> sizes = new HashMap<>();

    /** No less than the number of unfinished messages; null when nobody knows. */
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

    /** A limit was set: servers that have not heard of it push without regard to it until the moment. */
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

    /** Null where nobody knows. */
    Long of(QueueRow queue) {
        return sizes.get(queue.id()).size;
    }

    /** No less than what is unfinished in a queue to which so many messages are to be added. */
    long filled(QueueRow queue, long wanted, long now) {
        Size size = sizes.get(queue.id());
        boolean isDoubted = size.doubtedUntil > now || size.revision != queue.revision();
        boolean isTrusted = size.size != null && !isDoubted
                && (wanted == 0 || size.size + wanted <= queue.maxSize());
        if (isTrusted) {
            return size.size;
        }
        // Whoever counts writes the row twice, and a row written twice in a transaction has its foreign key checked.
        database.locks.requireFree(queue);
        return countUnfinished(queue);
    }

    void set(QueueRow queue, long filled) {
        Size size = sizes.get(queue.id());
        size.size = filled;
        size.revision = queue.revision();
    }

    /** What every other group had finished is unfinished again, for those who come to a partition. */
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
                    .map(cursor -> cursor.acked().plus(Ranges.before(cursor.committed())))
                    .reduce(Ranges::times).orElse(Ranges.NONE);
            unfinished += Ranges.of(partition.tail(), partition.head()).minus(finished.plus(partition.removed()))
                    .count();
        }
        return unfinished;
    }
}
