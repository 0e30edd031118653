package io.queenmq.engine.pop;

import io.queenmq.engine.time.Timers;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The cached state of a partition for a group. PostgreSQL confirms or corrects it with every lease call. Owned by the engine
 * loop.
 */
final class GroupPartition implements PopEvent, Awaited {
    /** The cached state. */
    enum State {
        /** No message to deliver. */
        IDLE,
        /** Has messages and is not leased: it is in the ready queue of its backlog. */
        READY,
        /** A lease call of this server is in flight. */
        LEASING,
        /** Leased, or no message is due yet: tried again when the alarm fires. */
        RESTING
    }

    /** The reason why a partition is RESTING. */
    enum Rest {
        /** A lease of this server. */
        LEASED_HERE,
        /** A lease of another server, which may end early without a hint to this server. */
        LEASED_BY_PEER,
        /** No message is due yet. */
        NOT_DUE
    }

    private final Backlog backlog;
    private final String name;
    private final UUID id;
    private final int shard;
    private State state = State.IDLE;
    private Timers.@Nullable Alarm alarm;
    private @Nullable Rest rest;
    private boolean hasCursor;
    private long head;
    private int arrivals;
    private int revisions;
    private int awaiting;
    private boolean isEventQueued;
    private @Nullable UUID undelivered;
    private long turn;
    /** The adjacent partitions in the {@link ReadyQueue}. */
    @Nullable
    GroupPartition previousReady;
    @Nullable
    GroupPartition nextReady;
    private boolean isQueued;

    /** @param shard the number of its shard */
    GroupPartition(Backlog backlog, String name, UUID id, int shard) {
        this.shard = shard;
        this.backlog = backlog;
        this.name = name;
        this.id = id;
    }

    Backlog backlog() {
        return backlog;
    }

    String name() {
        return name;
    }

    UUID id() {
        return id;
    }

    int shard() {
        return shard;
    }

    /** Returns the position among the ready partitions of all shards. */
    long turn() {
        return turn;
    }

    void setTurn(long turn) {
        this.turn = turn;
    }

    /** Returns whether the partition is in the ready queue of its backlog. Only the {@link ReadyQueue} changes this. */
    boolean isQueued() {
        return isQueued;
    }

    void setQueued(boolean isQueued) {
        this.isQueued = isQueued;
    }

    State state() {
        return state;
    }

    void become(State now) {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (isLeased()) {
            backlog.removeLeased(this);
        }
        if (isQueued && now != State.READY) {
            backlog.removeReady(this);
        }
        rest = null;
        state = now;
    }

    /** Becomes RESTING until the alarm fires. */
    void rest(Rest why, Timers.Alarm until) {
        become(State.RESTING);
        rest = why;
        alarm = until;
    }

    /** Returns the reason why the partition is RESTING; null if it is not. */
    @Nullable
    Rest rest() {
        return rest;
    }

    /** Returns whether the partition is leased, by the cached state. */
    boolean isLeased() {
        return rest == Rest.LEASED_HERE || rest == Rest.LEASED_BY_PEER;
    }

    /** Returns whether pops that name the partition wait for the lease call in flight. */
    boolean isAwaited() {
        return awaiting > 0;
    }

    /** Counts the pops that wait for the lease call in flight. Called by {@link WaitingPops} only. */
    void countAwaiting(int change) {
        awaiting += change;
    }

    /** Returns whether the partition is among the {@link PopEvents}; it is there at most once. */
    boolean isEventQueued() {
        return isEventQueued;
    }

    void setEventQueued(boolean isEventQueued) {
        this.isEventQueued = isEventQueued;
    }

    /** Returns the lease whose messages this server has not delivered yet; null if there is none. Its expiry costs no attempt. */
    @Nullable
    UUID undelivered() {
        return undelivered;
    }

    void leased(UUID leaseId) {
        undelivered = leaseId;
    }

    /** The messages of the lease were delivered, or the lease is to be released. */
    void delivered(UUID leaseId) {
        if (leaseId.equals(undelivered)) {
            undelivered = null;
        }
    }

    boolean hasCursor() {
        return hasCursor;
    }

    void setCursor(boolean hasCursor) {
        this.hasCursor = hasCursor;
    }

    /** Returns the highest known head. */
    long head() {
        return head;
    }

    void raiseHead(long offset) {
        head = Math.max(head, offset);
    }

    /** Returns the number of arrivals. An arrival during a lease call makes the answer of the call outdated. */
    int arrivals() {
        return arrivals;
    }

    void countArrival() {
        arrivals++;
    }

    /** Returns the number of changes by operators. A change during a lease call makes the answer of the call outdated. */
    int revisions() {
        return revisions;
    }

    void revise() {
        revisions++;
    }
}
