package io.queenmq.engine.simulation.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The routine evict: groups skip messages that waited longer than their queue allows. */
final class Evicting {
    private static final long MESSAGES_MAX = 1_000;
    private static final int SEGMENTS_MAX = 100;

    private final Database database;
    private final Progress progress;

    Evicting(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    Answer evict(Arguments arguments) {
        UUID[] ids = arguments.uuids("partition_ids");
        String[] groups = arguments.strings("group_names");
        List<Cursor> cursors = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            cursors.add(database.cursors.find(ids[i], groups[i]));
        }
        Set<Cursor> unready = evictAll(cursors);
        Answer answer = new Answer(Signature.of("evict").columns());
        for (int i = 0; i < ids.length; i++) {
            if (unready.contains(cursors.get(i))) {
                answer.add(i + 1);
            }
        }
        return answer;
    }

    /** Evicts expired messages, and returns the cursors that have more of them than one call evicts. */
    Set<Cursor> evictAll(List<Cursor> cursors) {
        long left = MESSAGES_MAX;
        Set<Cursor> unready = new HashSet<>();
        for (Cursor cursor : cursors) {
            if (cursor == null || database.locks.isLocked(cursor) || !hasStale(cursor)) {
                continue;
            }
            if (left > 0) {
                left -= evict(cursor, left);
            }
            if (left <= 0 && hasStale(cursor)) {
                unready.add(cursor);
            }
        }
        return unready;
    }

    private boolean hasStale(Cursor cursor) {
        return staleEnd(cursor) > cursor.position();
    }

    private long evict(Cursor cursor, long messagesMax) {
        QueueRow queue = cursor.partition().queue();
        String error = queue.hasDeadLetterQueue()
                ? "expired: not finished within " + queue.evictionSeconds() + " seconds"
                : null;
        return progress.skipTo(cursor, Math.min(staleEnd(cursor), cursor.position() + messagesMax), error);
    }

    /** Returns the end of expired messages, within the bound of one call. Messages under a live lease are not evicted. */
    private long staleEnd(Cursor cursor) {
        Integer age = cursor.partition().queue().evictionSeconds();
        long now = database.now();
        long end = Long.MIN_VALUE;
        if (age == null || cursor.isLive(now) || cursor.position() >= cursor.partition().head()) {
            return end;
        }
        int looked = 0;
        for (Segment segment : cursor.partition().segmentsFrom(cursor.position())) {
            if (looked++ == SEGMENTS_MAX || segment.createdAt() > now - age * Moments.SECOND) {
                break;
            }
            end = segment.end();
        }
        return end;
    }
}
