package io.queenmq.engine.pop;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The index of {@link WaitingPops} by message: the pops of one group that wait for a partition, or for any partition of a
 * queue, in the order of their arrival; and the state of the {@link PendingPoller} for them. Owned by the engine loop.
 */
final class Waiters {
    private final Backlog backlog;
    private final @Nullable String partition;
    // By arrival of the request: a pop that was woken without getting a message keeps its position.
    private final TreeSet<Pop> pops = new TreeSet<>(Comparator.comparingLong(Pop::turn));
    private Backoff backoff;
    private boolean isPolled;
    private boolean isPollDue;
    private long polling;

    /** @param partition the name of the partition; null for any */
    Waiters(Backlog backlog, @Nullable String partition, Backoff backoff) {
        this.backlog = backlog;
        this.partition = partition;
        this.backoff = backoff;
    }

    Backlog backlog() {
        return backlog;
    }

    @Nullable
    String partition() {
        return partition;
    }

    /** Returns false if the pop waits here already. */
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
    @Nullable
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

    /** Returns whether the {@link PendingPoller} polls for these pops. */
    boolean isPolled() {
        return isPolled;
    }

    void setPolled(boolean isPolled) {
        this.isPolled = isPolled;
    }

    /** Returns whether the next poll is scheduled. There is at most one. */
    boolean isPollDue() {
        return isPollDue;
    }

    void setPollDue(boolean isPollDue) {
        this.isPollDue = isPollDue;
    }

    /** Returns whether a poll of the shard is in flight. There is at most one. */
    boolean isPolling(int shard) {
        return (polling >> shard & 1) != 0;
    }

    void setPolling(int shard, boolean isPolling) {
        polling = isPolling ? polling | 1L << shard : polling & ~(1L << shard);
    }
}
