package io.queenmq.server.simulation.store;

import java.util.List;
import java.util.UUID;

/**
 * What operators do to queues, groups, lanes and messages, with the same effects on the catalog as the routines of their
 * names have. Each answers whether there was what it is about.
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
        List<Lane> lanes = database.lanes.of(queue.id()).stream().filter(lane -> lane.head() > 0).toList();
        requireCursorsFree(lanes, group);
        for (Lane lane : lanes) {
            seek(lane, group, target(lane, place));
            database.sizes.forget(queue);
        }
        if (!group.equals(Database.NO_GROUP)) {
            subscribe(group, queueName, place, !isHere);
        }
        database.catalog.revise(queue);
        return true;
    }

    /** Waits for whoever has locked the queue; false where there is none. */
    private boolean lock(QueueRow queue) {
        if (queue != null) {
            database.locks.requireFree(queue);
        }
        return queue != null;
    }

    /** Lanes that come later are read accordingly. */
    private void subscribe(String group, String queue, SeekPlace place, boolean isSought) {
        SubscriptionTable.Key key = new SubscriptionTable.Key(group, queue, "", "");
        SubscriptionTable.Subscription was = database.subscriptions.find(key);
        long since = was == null ? database.now() : was.subscribedAt();
        boolean isAwaited = was == null ? isSought : was.isSought();
        database.subscriptions.put(key, switch (place) {
            case SeekPlace.Beginning _ -> new SubscriptionTable.Subscription("all", null, since, isAwaited);
            case SeekPlace.End _ -> new SubscriptionTable.Subscription("new", null, since, isAwaited);
            case SeekPlace.After(long moment) -> new SubscriptionTable.Subscription("timestamp", moment + 1, since,
                    isAwaited);
            case SeekPlace.Offset _ -> throw new IllegalArgumentException("a queue has no offsets");
        });
        database.catalog.changeSubscriptions();
    }

    public boolean seekLane(String group, String queueName, String laneName, SeekPlace place) {
        QueueRow queue = database.catalog.find(queueName);
        Lane lane = lock(queue) ? database.lanes.find(queue, laneName) : null;
        if (lane == null) {
            return false;
        }
        long target = target(lane, place);
        if (target < lane.tail() || target > lane.head()) {
            throw SqlError.of("QN400",
                    "offset must be from " + lane.tail() + " to " + lane.head() + ": that is what the lane keeps");
        }
        requireCursorsFree(List.of(lane), group);
        seek(lane, group, target);
        database.sizes.forget(queue);
        database.catalog.revise(lane, database.now());
        return true;
    }

    private void requireCursorsFree(List<Lane> lanes, String group) {
        lanes.stream().flatMap(lane -> database.cursors.of(lane).stream())
                .filter(cursor -> cursor.group().equals(group)).forEach(database.locks::requireFree);
    }

    /** Where a lane goes on: the next message delivered is strictly after a moment. */
    private static long target(Lane lane, SeekPlace place) {
        return switch (place) {
            case SeekPlace.Beginning _ -> lane.tail();
            case SeekPlace.End _ -> lane.head();
            case SeekPlace.After(long moment) -> lane.offsetAt(moment + 1);
            case SeekPlace.Offset(long offset) -> offset;
        };
    }

    private void seek(Lane lane, String group, long target) {
        if (!database.cursors.add(lane, group, target)) {
            move(database.cursors.find(lane.id(), group), target);
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

    public boolean pauseLane(UUID laneId, boolean isPaused) {
        Lane lane = database.lanes.find(laneId);
        if (lane == null) {
            return false;
        }
        database.locks.requireFree(lane);
        lane.setPaused(isPaused);
        database.catalog.revise(lane, database.now());
        return true;
    }

    /** Every message of the queue is gone for everybody. */
    public boolean clearQueue(String queueName) {
        QueueRow queue = database.catalog.find(queueName);
        if (!lock(queue)) {
            return false;
        }
        clear(queue, database.lanes.of(queue.id()));
        return true;
    }

    /** Every message of the lane is gone for everybody. */
    public boolean clearLane(String queueName, String laneName) {
        QueueRow queue = database.catalog.find(queueName);
        Lane lane = lock(queue) ? database.lanes.find(queue, laneName) : null;
        if (lane == null) {
            return false;
        }
        clear(queue, List.of(lane));
        return true;
    }

    private void clear(QueueRow queue, List<Lane> lanes) {
        for (Lane lane : lanes) {
            database.locks.requireFree(lane);
            database.cursors.of(lane).forEach(database.locks::requireFree);
        }
        for (Lane lane : lanes) {
            lane.clear();
            database.cursors.of(lane).forEach(cursor -> move(cursor, lane.head()));
        }
        database.catalog.revise(queue);
    }

    /** The newest kept message with the transactionId is never delivered to anybody any more. */
    public boolean removeMessage(UUID laneId, String transactionId) {
        Lane lane = database.lanes.find(laneId);
        if (lane == null) {
            return false;
        }
        database.locks.requireFree(lane.queue());
        database.locks.requireFree(lane);
        StoredMessage message = find(lane, transactionId);
        if (message == null) {
            return false;
        }
        database.cursors.of(lane).forEach(database.locks::requireFree);
        lane.remove(message.offset());
        List<Cursor> unfinished = database.cursors.of(lane).stream()
                .filter(cursor -> !cursor.isFinished(message.offset())).toList();
        boolean isFailing = unfinished.stream().anyMatch(cursor -> !cursor.failures().isEmpty());
        unfinished.forEach(cursor -> progress.advance(cursor, Ranges.of(message.offset()), 0, 1));
        if (isFailing) {
            // Servers may wait for a failed message in vain.
            database.catalog.revise(lane.queue());
        }
        return true;
    }

    private StoredMessage find(Lane lane, String transactionId) {
        return database.messages.byLane().getOrDefault(lane.id(), List.of()).reversed().stream()
                .filter(message -> message.transactionId().equals(transactionId) && message.offset() >= lane.tail()
                        && !lane.removed().contains(message.offset()))
                .findFirst().orElse(null);
    }

    public void setPushMaintenance(boolean isOn) {
        database.catalog.setPushMaintenance(isOn);
    }

    /** Whoever reads the catalog is shown another encryption epoch than the one by which pushes are judged. */
    public void hideEncryptionEpoch(boolean isHidden) {
        database.catalog.hideEncryptionEpoch(isHidden);
    }

    public void setPopMaintenance(boolean isOn) {
        database.catalog.setPopMaintenance(isOn);
    }
}
