package io.queenmq.engine.pop;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Pops of one group that wait for the same thing, a partition or any partition of a queue, first come first served; and when they
 * last looked by themselves. Owned by the engine loop.
 */
final class Waiters {
    private final Backlog backlog;
    private final String partition;
    // By turn, not by when they joined the line: one who was woken for nothing stands where it stood before.
    private final TreeSet<Pop> pops = new TreeSet<>(Comparator.comparingLong(Pop::turn));
    private Backoff backoff;
    private boolean isWatched;
    private boolean isLookDue;
    private long asked;

    /** @param partition the partition's name; null for any partition */
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

    /** Returns false if the pop is in this line already. */
    boolean add(Pop pop) {
        boolean isAdded = pops.add(pop);
        if (isAdded) {
            backlog.countWaiting(1);
        }
        return isAdded;
    }

    /** Removes a pop that waits no longer. */
    void remove(Pop pop) {
        if (pops.remove(pop)) {
            backlog.countWaiting(-1);
        }
    }

    /** Returns the pop whose turn is next; null if none waits. */
    Pop first() {
        return pops.isEmpty() ? null : pops.first();
    }

    boolean isEmpty() {
        return pops.isEmpty();
    }

    List<Pop> all() {
        return List.copyOf(pops);
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
