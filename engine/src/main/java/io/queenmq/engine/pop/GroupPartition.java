package io.queenmq.engine.pop;

import io.queenmq.engine.time.Timers;
import java.util.ArrayDeque;
import java.util.UUID;

/**
 * One partition as one group sees it: a belief, which the database confirms or corrects at every lease. Owned by the engine
 * loop.
 */
final class GroupPartition {
    /** What this server believes. */
    enum Belief {
        /** Nothing to read. */
        IDLE,
        /** Something to read, and nobody holds it: it stands in its backlog's line. */
        READY,
        /** A lease call of this server is on its way. */
        LEASING,
        /** Somebody holds it, or nothing is due yet: look again when the alarm rings. */
        RESTING
    }

    /** Why a partition rests. */
    enum Rest {
        /** A lease that this server gave. */
        HELD_HERE,
        /** Somebody else's lease, which may end before its time without this server hearing of it. */
        HELD_ELSEWHERE,
        /** Nothing is due yet. */
        NOT_DUE
    }

    private final Backlog backlog;
    private final String name;
    private final UUID id;
    private final int shard;
    private final ArrayDeque<Pop> waiting = new ArrayDeque<>(0);
    private Belief belief = Belief.IDLE;
    private Timers.Alarm alarm;
    private Rest rest;
    private boolean hasCursor;
    private long head;
    private int rings;
    private int revisions;
    private UUID undelivered;
    private long turn;
    /** Neighbors in the {@link ReadyLine}. */
    GroupPartition previousReady;
    GroupPartition nextReady;
    private boolean isInLine;

    /** @param shard the number of the shard that holds it */
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

    /** Its place among the partitions that are ready, in all shards. */
    long turn() {
        return turn;
    }

    void setTurn(long turn) {
        this.turn = turn;
    }

    /** Whether the partition is in the line of its backlog; only the {@link ReadyLine} changes this. */
    boolean isInLine() {
        return isInLine;
    }

    void setInLine(boolean isInLine) {
        this.isInLine = isInLine;
    }

    Belief belief() {
        return belief;
    }

    void believe(Belief now) {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (isHeld()) {
            backlog.removeHeld(this);
        }
        if (isInLine && now != Belief.READY) {
            backlog.takeOut(this);
        }
        rest = null;
        belief = now;
    }

    /** Rests until the alarm rings. */
    void rest(Rest why, Timers.Alarm until) {
        believe(Belief.RESTING);
        rest = why;
        alarm = until;
    }

    /** Why the partition rests; null when it does not. */
    Rest rest() {
        return rest;
    }

    /** Whether somebody holds the partition, as far as this server knows. */
    boolean isHeld() {
        return rest == Rest.HELD_HERE || rest == Rest.HELD_ELSEWHERE;
    }

    /** Pops that named this partition while a lease call for it was on its way. */
    ArrayDeque<Pop> waiting() {
        return waiting;
    }

    /** The lease whose messages this server has not delivered yet; null when there is none. Its expiry costs no attempt. */
    UUID undelivered() {
        return undelivered;
    }

    void leased(UUID leaseId) {
        undelivered = leaseId;
    }

    /** The messages of the lease were delivered, or the lease is released. */
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

    /** The highest head this server has heard of. */
    long head() {
        return head;
    }

    void heardOfHead(long offset) {
        head = Math.max(head, offset);
    }

    /** Counts the bells, so that an answer that was on its way while one rang is not taken for the latest word. */
    int rings() {
        return rings;
    }

    void ring() {
        rings++;
    }

    /** Counts the changes by operators, so that a lease call that was on its way is not taken for the latest word. */
    int revisions() {
        return revisions;
    }

    void revise() {
        revisions++;
    }
}
