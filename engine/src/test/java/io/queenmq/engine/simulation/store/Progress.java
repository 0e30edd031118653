package io.queenmq.engine.simulation.store;

/** Moves cursors over finished messages. */
final class Progress {
    private final Database database;

    Progress(Database database) {
        this.database = database;
    }

    /**
     * Marks offsets as finished: committed moves over the longest finished prefix, and the lease ends when its whole
     * range is finished.
     *
     * @param dead the number of finished messages that became dead letters
     * @param skipped the number of messages that an operator skipped
     */
    void advance(Cursor cursor, Ranges finished, long dead, long skipped) {
        long now = database.now();
        Ranges done = cursor.acked().plus(finished.minus(Ranges.before(cursor.committed())));
        long committed = done.endOfRunAt(cursor.committed());
        long newlyDone = done.count() - cursor.acked().count();
        cursor.moveTo(committed, done.minus(Ranges.before(committed)));
        cursor.countAcked(newlyDone - dead - skipped, dead, 0, 0);
        cursor.forgetFinished();
        cursor.restUntilFirstIsDue();
        cursor.setLastAckAt(now);
        if (cursor.isHeld() && committed >= cursor.leaseEnd()) {
            cursor.endLease(LeaseEnd.FINISHED, now);
        }
    }

    /**
     * Finishes every message before end. Unfinished ones become dead letters with the error, or are only counted as
     * expired if there is none.
     *
     * @return the number of messages that were not finished
     */
    long skipTo(Cursor cursor, long end, String error) {
        if (cursor.committed() >= end) {
            return 0;
        }
        Partition partition = cursor.partition();
        Ranges passed = Ranges.of(cursor.committed(), end);
        Ranges gone = partition.removed().plus(Ranges.before(partition.tail()));
        long removed = passed.times(gone).minus(cursor.acked()).count();
        long unfinished = passed.minus(gone).minus(cursor.acked()).count();
        if (error != null) {
            deadLetterRange(partition, cursor.group(), cursor.position(), end, cursor.acked().plus(partition.removed()),
                    error);
        }
        Long lastAckAt = cursor.lastAckAt();
        advance(cursor, passed, error == null ? 0 : unfinished, removed);
        cursor.setLastAckAt(lastAckAt);
        if (error == null) {
            cursor.countAcked(-unfinished, 0, 0, unfinished);
        }
        return unfinished;
    }

    private void deadLetterRange(Partition partition, String group, long first, long end, Ranges finished,
            String error) {
        Cursor cursor = database.cursors.find(partition.id(), group);
        for (Segment segment : partition.segmentsFrom(first)) {
            for (long offset = Math.max(segment.base(), first); offset < Math.min(segment.end(), end); offset++) {
                if (!finished.contains(offset)) {
                    database.deadLetters.add(partition, group, offset, cursor.attempts(offset), error, database.now());
                }
            }
        }
    }
}
