package io.queenmq.server.simulation.store;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** What upkeep does to one lane: routines apply_retention and delete_idle_lanes. A lane somebody works on is left alone. */
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

    /** Removes what is older than the queue keeps messages; never one under a live lease. */
    public void applyRetention(UUID laneId) {
        Lane lane = database.lanes.find(laneId);
        if (lane == null || !take(lane)) {
            return;
        }
        long tail = Long.MIN_VALUE;
        long now = database.now();
        QueueRow queue = lane.queue();
        long leasedFrom = database.cursors.of(lane).stream().filter(cursor -> cursor.isLive(now))
                .mapToLong(Cursor::committed).min().orElse(lane.head());
        OptionalLong finishedTo = safePoint(lane);
        for (Segment segment : oldest(lane)) {
            boolean isKeptTooLong = isOlder(segment, queue.retentionSeconds(), now) && segment.end() <= leasedFrom;
            boolean isDoneTooLong = isOlder(segment, queue.completedRetentionSeconds(), now)
                    && finishedTo.isPresent() && segment.end() <= finishedTo.getAsLong();
            if (isKeptTooLong || isDoneTooLong) {
                tail = segment.end();
            }
        }
        if (tail > Long.MIN_VALUE) {
            trim(lane, tail);
        }
    }

    /** Removes the oldest messages of a lane, up to an offset: groups that had not finished them are led past. */
    public void trim(UUID laneId, long tail) {
        Lane lane = database.lanes.find(laneId);
        if (lane != null && take(lane)) {
            long now = database.now();
            long free = database.cursors.of(lane).stream().filter(cursor -> cursor.isLive(now))
                    .mapToLong(Cursor::committed).min().orElse(lane.head());
            trim(lane, Math.min(tail, free));
        }
    }

    private void trim(Lane lane, long tail) {
        database.cursors.of(lane).forEach(cursor -> progress.letGo(cursor, tail, null));
        lane.moveTail(tail);
    }

    /** Deletes an empty lane in which nothing happened for so many days; answers whether it is gone. */
    public boolean deleteIdle(UUID laneId, int days) {
        Lane lane = database.lanes.find(laneId);
        long now = database.now();
        if (lane == null || database.locks.isLocked(lane.queue()) || !take(lane) || lane.head() != lane.tail()
                || lane.activeAt() > now - days * DAY
                || lane.isPaused() || database.deadLetters.hasOf(lane)
                || database.cursors.of(lane).stream().anyMatch(cursor -> cursor.isLive(now))) {
            return false;
        }
        lane.queue().raiseLaneFloor(lane.head());
        database.cursors.of(lane).forEach(cursor -> database.cursors.delete(cursor, now));
        database.lanes.delete(lane);
        return true;
    }

    /** Whether nobody else is working on the lane; leases that ran out in it are over then. */
    private boolean take(Lane lane) {
        if (database.locks.isLaneLocked(lane.id())) {
            return false;
        }
        long now = database.now();
        for (Cursor cursor : database.cursors.of(lane)) {
            if (!database.locks.isLocked(cursor) && cursor.isHeld() && !cursor.isLive(now)) {
                returning.expire(cursor, now);
            }
        }
        return database.cursors.of(lane).stream().noneMatch(database.locks::isLocked);
    }

    private static boolean isOlder(Segment segment, Integer seconds, long now) {
        return seconds != null && segment.createdAt() <= now - seconds * Moments.SECOND;
    }

    private static List<Segment> oldest(Lane lane) {
        long first = lane.removed().isEmpty() ? lane.tail() : Math.min(lane.tail(), lane.removed().bounds()[0]);
        List<Segment> oldest = new ArrayList<>();
        for (Segment segment : lane.segmentsFrom(first)) {
            if (oldest.size() < SEGMENTS_MAX) {
                oldest.add(segment);
            }
        }
        return oldest;
    }

    /** The first offset that somebody who reads the queue may still want; empty when nobody reads it. */
    private OptionalLong safePoint(Lane lane) {
        List<Long> places = new ArrayList<>();
        database.cursors.of(lane).forEach(cursor -> places.add(cursor.committed()));
        database.subscriptions.all().forEach(each -> {
            if (each.getKey().covers(lane.queue())
                    && database.cursors.find(lane.id(), each.getKey().group()) == null) {
                places.add(each.getValue().mode().equals("timestamp")
                        ? lane.offsetAt(each.getValue().fromAt())
                        : lane.tail());
            }
        });
        return places.stream().mapToLong(Long::longValue).min();
    }
}
