package io.queenmq.server.simulation.store;

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
    private final Set<UUID> lanes = new HashSet<>();
    private final Set<UUID> lanesOfUpkeep = new HashSet<>();
    private final Set<CursorTable.Key> cursors = new HashSet<>();
    private final Set<UUID> queues = new HashSet<>();
    /** Once for each who shares it. */
    private final List<UUID> sharedQueues = new ArrayList<>();

    /** As a push of an open transaction does. A lane that does not exist is being created by it. */
    public void lockLane(UUID laneId) {
        lanes.add(laneId);
    }

    public void unlockLane(UUID laneId) {
        lanes.remove(laneId);
        lanesOfUpkeep.remove(laneId);
    }

    /** As upkeep does while it works on a lane. */
    public void lockLaneForUpkeep(UUID laneId) {
        lanesOfUpkeep.add(laneId);
    }

    public void lockCursor(UUID laneId, String group) {
        cursors.add(new CursorTable.Key(laneId, group));
    }

    public void unlockCursor(UUID laneId, String group) {
        cursors.remove(new CursorTable.Key(laneId, group));
    }

    /** As whoever deletes the queue does; lanes and cursors are locked by themselves. */
    public void lockQueue(UUID queueId) {
        queues.add(queueId);
    }

    public void unlockQueue(UUID queueId) {
        queues.remove(queueId);
    }

    boolean isLocked(QueueRow queue) {
        return queues.contains(queue.id());
    }

    boolean isLaneLocked(UUID laneId) {
        return lanes.contains(laneId) || lanesOfUpkeep.contains(laneId);
    }

    /** Upkeep keeps those away who come to the lane anew; others who lock a lane do not. */
    boolean isLaneLockedByUpkeep(UUID laneId) {
        return lanesOfUpkeep.contains(laneId);
    }

    boolean isLocked(Cursor cursor) {
        return cursors.contains(new CursorTable.Key(cursor.lane().id(), cursor.group()));
    }

    /** For a statement that would wait for the row: it is told that it waited too long. */
    void requireFree(Cursor cursor) {
        if (isLocked(cursor)) {
            throw SqlError.locked();
        }
    }

    void requireFree(Lane lane) {
        if (isLaneLocked(lane.id())) {
            throw SqlError.locked();
        }
    }

    void requireFree(QueueRow queue) {
        if (isLocked(queue)) {
            throw SqlError.locked();
        }
    }

    /** Somebody is adding a lane to the queue, which therefore cannot be deleted. */
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
