package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.UUID;

/**
 * The operations of operators on queues, groups, partitions and messages, with the same effects on the catalog as the
 * routines of their names. Each returns true if its object existed.
 */
public final class Operators {
    private final Database database;
    private final Progress progress;

    Operators(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    public boolean seekQueue(String group, String queueName, SeekPlace place) {
        QueueRow queue = database.catalog.find(queueName);
        if (!lock(queue)) {
            return false;
        }
        boolean isHere = database.subscriptions.isReader(group, queue);
        List<Partition> partitions = database.partitions.of(queue.id()).stream()
                .filter(partition -> partition.head() > 0).toList();
        requireCursorsFree(partitions, group);
        for (Partition partition : partitions) {
            seek(partition, group, target(partition, place));
            database.sizes.forget(queue);
        }
        if (!group.equals(Database.NO_GROUP)) {
            subscribe(group, queueName, place, !isHere);
        }
        database.catalog.revise(queue);
        return true;
    }

    /** Waits for a lock of the queue. Returns false if the queue does not exist. */
    private boolean lock(QueueRow queue) {
        if (queue != null) {
            database.locks.requireFree(queue);
        }
        return queue != null;
    }

    /** Also applies to partitions that are created later. */
    private void subscribe(String group, String queue, SeekPlace place, boolean isSought) {
        SubscriptionTable.Key key = new SubscriptionTable.Key(group, queue, "", "");
        SubscriptionTable.Subscription was = database.subscriptions.find(key);
        long since = was == null ? database.now() : was.subscribedAt();
        boolean isAwaited = was == null ? isSought : was.isSought();
        database.subscriptions.put(key, switch (place) {
            case SeekPlace.Beginning _ -> new SubscriptionTable.Subscription("all", null, since, isAwaited);
            case SeekPlace.End _ -> new SubscriptionTable.Subscription("new", null, since, isAwaited);
            case SeekPlace.After(long moment) ->
                new SubscriptionTable.Subscription("timestamp", moment + 1, since, isAwaited);
            case SeekPlace.Offset _ -> throw new IllegalArgumentException("a queue has no offsets");
        });
        database.catalog.changeSubscriptions();
    }

    public boolean seekPartition(String group, String queueName, String partitionName, SeekPlace place) {
        QueueRow queue = database.catalog.find(queueName);
        Partition partition = lock(queue) ? database.partitions.find(queue, partitionName) : null;
        if (partition == null) {
            return false;
        }
        long target = target(partition, place);
        if (target < partition.tail() || target > partition.head()) {
            throw SqlError.of("QN400", "offset must be from " + partition.tail() + " to " + partition.head()
                    + ": that is what the partition keeps");
        }
        requireCursorsFree(List.of(partition), group);
        seek(partition, group, target);
        database.sizes.forget(queue);
        database.catalog.revise(partition, database.now());
        return true;
    }

    private void requireCursorsFree(List<Partition> partitions, String group) {
        partitions.stream().flatMap(partition -> database.cursors.of(partition).stream())
                .filter(cursor -> cursor.group().equals(group)).forEach(database.locks::requireFree);
    }

    /** Returns the offset at which a partition continues: the next delivered message is strictly after a time. */
    private static long target(Partition partition, SeekPlace place) {
        return switch (place) {
            case SeekPlace.Beginning _ -> partition.tail();
            case SeekPlace.End _ -> partition.head();
            case SeekPlace.After(long moment) -> partition.offsetAt(moment + 1);
            case SeekPlace.Offset(long offset) -> offset;
        };
    }

    private void seek(Partition partition, String group, long target) {
        if (!database.cursors.add(partition, group, target)) {
            move(database.cursors.find(partition.id(), group), target);
        }
    }

    /** Messages that the cursor passes over count as skipped. */
    private void move(Cursor cursor, long target) {
        cursor.countAcked(0, 0, target - cursor.committed() - cursor.acked().count(), 0);
        cursor.placeAt(target, database.now());
    }

    public boolean pauseQueue(String queueName, boolean isPaused) {
        QueueRow queue = database.catalog.find(queueName);
        if (!lock(queue)) {
            return false;
        }
        queue.setPaused(isPaused);
        database.catalog.change();
        return true;
    }

    public boolean pauseGroup(String group, String queueName, boolean isPaused) {
        QueueRow queue = database.catalog.find(queueName);
        if (!lock(queue)) {
            return false;
        }
        queue.setPaused(group, isPaused);
        database.catalog.change();
        return true;
    }

    public boolean pausePartition(UUID partitionId, boolean isPaused) {
        Partition partition = database.partitions.find(partitionId);
        if (partition == null) {
            return false;
        }
        database.locks.requireFree(partition);
        partition.setPaused(isPaused);
        database.catalog.revise(partition, database.now());
        return true;
    }

    /** Removes every message of the queue for all groups. */
    public boolean clearQueue(String queueName) {
        QueueRow queue = database.catalog.find(queueName);
        if (!lock(queue)) {
            return false;
        }
        clear(queue, database.partitions.of(queue.id()));
        return true;
    }

    /** Removes every message of the partition for all groups. */
    public boolean clearPartition(String queueName, String partitionName) {
        QueueRow queue = database.catalog.find(queueName);
        Partition partition = lock(queue) ? database.partitions.find(queue, partitionName) : null;
        if (partition == null) {
            return false;
        }
        clear(queue, List.of(partition));
        return true;
    }

    private void clear(QueueRow queue, List<Partition> partitions) {
        for (Partition partition : partitions) {
            database.locks.requireFree(partition);
            database.cursors.of(partition).forEach(database.locks::requireFree);
        }
        for (Partition partition : partitions) {
            partition.clear();
            database.cursors.of(partition).forEach(cursor -> move(cursor, partition.head()));
        }
        database.catalog.revise(queue);
    }

    /** Removes the newest stored message with the transactionId for all groups. */
    public boolean removeMessage(UUID partitionId, String transactionId) {
        Partition partition = database.partitions.find(partitionId);
        if (partition == null) {
            return false;
        }
        database.locks.requireFree(partition.queue());
        database.locks.requireFree(partition);
        StoredMessage message = find(partition, transactionId);
        if (message == null) {
            return false;
        }
        database.cursors.of(partition).forEach(database.locks::requireFree);
        partition.remove(message.offset());
        List<Cursor> unfinished = database.cursors.of(partition).stream()
                .filter(cursor -> !cursor.isFinished(message.offset())).toList();
        boolean isFailing = unfinished.stream().anyMatch(cursor -> !cursor.failures().isEmpty());
        unfinished.forEach(cursor -> progress.advance(cursor, Ranges.of(message.offset()), 0, 1));
        if (isFailing) {
            // Servers may wait for a failed message that was removed.
            database.catalog.revise(partition.queue());
        }
        return true;
    }

    private StoredMessage find(Partition partition, String transactionId) {
        return database.messages.byPartition().getOrDefault(partition.id(), List.of()).reversed().stream()
                .filter(message -> message.transactionId().equals(transactionId) && message.offset() >= partition.tail()
                        && !partition.removed().contains(message.offset()))
                .findFirst().orElse(null);
    }

    public void setPushMaintenance(boolean isOn) {
        database.catalog.setPushMaintenance(isOn);
    }

    /** Makes reads of the catalog return another encryption epoch than the one that pushes are checked against. */
    public void hideEncryptionEpoch(boolean isHidden) {
        database.catalog.hideEncryptionEpoch(isHidden);
    }

    public void setPopMaintenance(boolean isOn) {
        database.catalog.setPopMaintenance(isOn);
    }
}
