package io.queenmq.engine.push;

import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.EnumSet;
import java.util.Set;

/**
 * One turn of the push room at a partition, from the moment the partition is taken until it is free again. Whoever has the turn
 * owns the front of the partition's line: nobody else answers those in it or takes them out. Owned by the engine loop.
 */
final class PushTurn {
    /** What the turn waits for. */
    enum Step {
        /** Nothing: the next step is about to be decided. */
        DECIDING,
        /** To hear what is new in the partition. */
        CATCHING_UP,
        /** To hear which of those in line are stored already. */
        EXAMINING,
        /** To be carried, and for the answer. */
        CARRIED,
        /** For a lock to go away, or for the catalog. */
        RESTING,
        /** The partition is free again. */
        OVER;

        private boolean canBecome(Step next) {
            return switch (this) {
                case DECIDING -> next != DECIDING;
                case CARRIED -> AFTER_CARRIED.contains(next);
                case CATCHING_UP, EXAMINING, RESTING -> next == DECIDING;
                case OVER -> false;
            };
        }
    }

    /** An answer leads to the next decision; one that says the partition has moved on leads straight to catching up. */
    private static final Set<Step> AFTER_CARRIED = EnumSet.of(Step.DECIDING, Step.CATCHING_UP);

    private final PushPartition partition;
    private Step step = Step.DECIDING;
    private PushDraft draft;
    private Failure failure;
    private int rests;
    private int catalogReads;
    private boolean isInDoubt;

    PushTurn(PushPartition partition) {
        this.partition = partition;
    }

    PushPartition partition() {
        return partition;
    }

    Step step() {
        return step;
    }

    void become(Step next) {
        if (!step.canBecome(next)) {
            throw new IllegalStateException("a push turn cannot go from " + step + " to " + next);
        }
        step = next;
    }

    boolean isOver() {
        return step == Step.OVER;
    }

    /** What the last call carried. */
    PushDraft draft() {
        return draft;
    }

    /**
     * Makes the draft for the next call of what is in line now. Until the outcome of the call is known, each message of the
     * draft may be stored at the offset that the call appends at.
     */
    SegmentDraft newDraft(PushPartition.Seal seal) {
        isInDoubt |= draft != null;
        draft = partition.draft(seal);
        draft.covered().forEach(pending -> pending.setAttemptBase(draft.segment().known()));
        return draft.segment();
    }

    /** Whether a call was made of which nobody knows whether it stored something. */
    boolean isInDoubt() {
        return isInDoubt;
    }

    /** The database has reported that the last call stored nothing. Calls before it may have stored something. */
    void storedNothing() {
        if (!isInDoubt && draft != null) {
            draft.covered().forEach(pending -> pending.setAttemptBase(PendingPush.NOT_ATTEMPTED));
            draft = null;
        }
    }

    /** Fails a push whose partition was locked for too long. */
    void failLocked(PendingPush pending) {
        String locked = "the partition is locked by another transaction of the database";
        if (isInDoubt) {
            pending.unavailable(new Failure.Unavailable(locked));
        } else {
            pending.failed(PushRefusal.LOCKED, locked);
        }
    }

    /** The outcome of the last call is unknown. */
    void lost() {
        isInDoubt |= draft != null;
    }

    /** The outcome of all calls is known. */
    void settle() {
        draft = null;
        isInDoubt = false;
    }

    void setFailure(Failure failure) {
        this.failure = failure;
    }

    /** Why a question could not be answered; null when all were. */
    Failure failure() {
        return failure;
    }

    /** Returns how often the catalog was read because it was outdated, with this time. */
    int countCatalogRead() {
        return ++catalogReads;
    }

    /** How often the turn rested because the partition was locked. */
    int countRest() {
        return ++rests;
    }
}
