package io.queenmq.server.pop;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Pops of one group that wait for the same thing, a lane or any lane of a queue, first come first served; and when they
 * last looked by themselves. Owned by the engine loop.
 */
final class Waiters {
    private final Backlog backlog;
    private final String partition;
    // By turn, not by when they joined the line: one who was woken for nothing stands where it stood before.
    private final PriorityQueue<Pop> pops = new PriorityQueue<>(Comparator.comparingLong(Pop::turn));
    private Backoff backoff;
    private boolean isWatched;
    private boolean isLookDue;
    private long asked;

    /** @param partition the lane's name; null for any lane */
    Waiters(Backlog backlog, String partition, Backoff backoff) {
        this.backlog = backlog;
        this.partition = partition;
        this.backoff = backoff;
    }

    Backlog backlog() {
        return backlog;
    }

    String partition() {
        return partition;
    }

    void add(Pop pop) {
        pops.add(pop);
    }

    /** The next one that still waits, or null; it leaves the line. */
    Pop poll() {
        Pop pop = pops.poll();
        while (pop != null && !pop.isParked()) {
            pop = pops.poll();
        }
        return pop;
    }

    /** Whether nobody waits any more; those who were answered meanwhile do not count. */
    boolean isEmpty() {
        while (!pops.isEmpty() && !pops.peek().isParked()) {
            pops.poll();
        }
        return pops.isEmpty();
    }

    Backoff backoff() {
        return backoff;
    }

    void setBackoff(Backoff backoff) {
        this.backoff = backoff;
    }

    /** Whether somebody looks now and then. */
    boolean isWatched() {
        return isWatched;
    }

    void setWatched(boolean isWatched) {
        this.isWatched = isWatched;
    }

    /** Whether a time is set for the next look; there is never more than one. */
    boolean isLookDue() {
        return isLookDue;
    }

    void setLookDue(boolean isLookDue) {
        this.isLookDue = isLookDue;
    }

    /** Whether a look at a shard is on its way; there is never more than one. */
    boolean isAsking(int shard) {
        return (asked >> shard & 1) != 0;
    }

    void setAsking(int shard, boolean isAsking) {
        asked = isAsking ? asked | 1L << shard : asked & ~(1L << shard);
    }
}
