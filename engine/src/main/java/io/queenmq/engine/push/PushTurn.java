package io.queenmq.engine.push;

import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The work of single pushes on a partition, from taking it until it is free again. The turn owns the front of the
 * partition's queue: no other object completes or removes its pushes. Owned by the engine loop.
 */
final class PushTurn {
    /** The state of a turn. */
    enum Step {
        /** The next step is about to be decided. */
        PLANNING,
        /** Loads what is new in the partition. */
        CATCHING_UP,
        /** Checks which pending pushes are stored already. */
        CHECKING,
        /** Waits for a call that stores a segment, and for its answer. */
        STORING,
        /** Waits for a lock to be released, or for the catalog. */
        WAITING,
        /** The partition is free again. */
        ENDED;

        private boolean canBecome(Step next) {
            return switch (this) {
                case PLANNING -> next != PLANNING;
                case STORING -> AFTER_STORING.contains(next);
                case CATCHING_UP, CHECKING, WAITING -> next == PLANNING;
                case ENDED -> false;
            };
        }
    }

    /** An answer leads to the next decision. If the partition has a new head, the turn catches up at once. */
    private static final Set<Step> AFTER_STORING = EnumSet.of(Step.PLANNING, Step.CATCHING_UP);

    private final PushPartition partition;
    private Step step = Step.PLANNING;
    private @Nullable PushDraft draft;
    private int waits;
    private int catalogReads;
    private boolean isInDoubt;

    PushTurn(PushPartition partition) {
        this.partition = partition;
    }

    PushPartition partition() {
        return partition;
    }

    void become(Step next) {
        if (!step.canBecome(next)) {
            throw new IllegalStateException("a push turn cannot change from " + step + " to " + next);
        }
        step = next;
    }

    boolean isOver() {
        return step == Step.ENDED;
    }

    /** Returns the draft of the last call. Must be called only while the outcome of that call is not settled. */
    PushDraft draft() {
        return Objects.requireNonNull(draft);
    }

    /**
     * Makes the draft for the next call from the pushes that wait now. Until the outcome of the call is known, each message of
     * the draft may be stored at the offset that the call appends at.
     */
    SegmentDraft newDraft(@Nullable PayloadEncryption encryptionOrNull) {
        isInDoubt |= draft != null;
        PushDraft next = partition.draft(encryptionOrNull);
        draft = next;
        next.covered().forEach(pending -> pending.setAttemptBase(next.segment().known()));
        return next.segment();
    }

    /** Returns true if a call whose outcome is unknown may have stored something. */
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

    /** Counts a read of the catalog because it was outdated. Returns the number of reads. */
    int countCatalogRead() {
        return ++catalogReads;
    }

    /** Counts a wait because the partition was locked. Returns the number of waits. */
    int countWait() {
        return ++waits;
    }
}
