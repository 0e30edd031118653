package io.queenmq.engine.simulation.store;

import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/** The routines expire, release and renew, which end leases without acks and extend leases. */
final class Returning {
    private static final String RAN_OUT = "the lease ran out before the message was acknowledged";

    private final Database database;
    private final Progress progress;

    Returning(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    Answer expire(Arguments arguments) {
        long now = database.now();
        UUID[] ids = arguments.uuids("partition_ids");
        Answer answer = new Answer(Signature.of("expire").columns());
        for (int i = 0; i < ids.length; i++) {
            Cursor cursor = database.cursors.find(ids[i], arguments.strings("group_names")[i]);
            if (cursor != null && cursor.isHeld() && !cursor.isLive(now) && !database.locks.isLocked(cursor)) {
                answer.add(i + 1, expire(cursor, now));
            }
        }
        return answer;
    }

    /** Returns true if a message became a dead letter. */
    boolean expire(Cursor cursor, long now) {
        Partition partition = cursor.partition();
        QueueRow queue = partition.queue();
        Ranges unfinished = Ranges.of(cursor.position(), cursor.leaseEnd()).minus(cursor.acked())
                .minus(partition.removed());
        boolean isAlone = cursor.isAlone();
        cursor.endLease(LeaseEnd.EXPIRED, now);
        cursor.resumeAtOnce();
        boolean hasDeadLettered = false;
        for (long offset = cursor.position(); offset < unfinished.end(); offset++) {
            if (unfinished.contains(offset)) {
                int attempts = cursor.charge(offset, RAN_OUT, null, now);
                if (isAlone && Attempts.isDead(attempts, queue)) {
                    database.deadLetters.add(partition, cursor.group(), offset, attempts, RAN_OUT, now);
                    progress.advance(cursor, Ranges.of(offset), 1, 0);
                    hasDeadLettered = true;
                }
            }
        }
        return hasDeadLettered;
    }

    Answer release(Arguments arguments) {
        long now = database.now();
        UUID[] ids = arguments.uuids("partition_ids");
        Answer answer = new Answer(Signature.of("release").columns());
        for (int i = 0; i < ids.length; i++) {
            UUID leaseId = arguments.uuids("lease_ids")[i];
            Cursor cursor = database.cursors.find(ids[i], arguments.strings("group_names")[i]);
            boolean isBusy = cursor != null && database.locks.isLocked(cursor);
            if (isBusy && leaseId.equals(cursor.leaseId())) {
                answer.add(i + 1, true);
            } else if (!isBusy && cursor != null && leaseId.equals(cursor.leaseId())) {
                cursor.endLease(LeaseEnd.RELEASED, now);
                answer.add(i + 1, false);
            }
        }
        return answer;
    }

    Answer renew(Arguments arguments) {
        UUID[] leaseIds = arguments.uuids("lease_ids");
        Integer[] seconds = arguments.integers("seconds");
        Answer answer = new Answer(Signature.of("renew").columns());
        for (int i = 0; i < leaseIds.length; i++) {
            List<Cursor> covered = database.cursors.under(leaseIds[i]);
            boolean isBusy = covered.stream().anyMatch(database.locks::isLocked);
            OptionalLong until = prolong(covered, seconds[i]);
            if (isBusy || until.isPresent()) {
                answer.add(i + 1, isBusy ? null : Moments.of(until.getAsLong()), isBusy);
            }
        }
        return answer;
    }

    /** Extends leases that are live and not locked. Returns the earliest expiry. */
    private OptionalLong prolong(List<Cursor> covered, int seconds) {
        long now = database.now();
        List<Cursor> live = covered.stream().filter(cursor -> cursor.isLive(now) && !database.locks.isLocked(cursor))
                .toList();
        live.forEach(cursor -> cursor.prolongLease(Math.max(cursor.leaseUntil(), now + seconds * Moments.SECOND)));
        return live.stream().mapToLong(Cursor::leaseUntil).min();
    }
}
