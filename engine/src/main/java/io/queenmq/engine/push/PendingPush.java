package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One message that waits in its partition to be stored. Completed once, with its outcome. Owned by the engine loop. */
final class PendingPush {
    static final long NOT_ATTEMPTED = SpooledPush.NOT_ATTEMPTED;
    static final long ATTEMPTED_AS_FIRST = SpooledPush.ATTEMPTED_AS_FIRST;

    private final PushItem item;
    private final long sinceNs;
    private final PushTally tally;
    private final int index;
    private final Origin origin;
    private final @Nullable SpooledPush spooled;
    private long attemptBase;
    private long provenUpTo;
    private boolean isDecided;
    private int moves;

    /** The source of a message. */
    enum Origin {
        CLIENT,
        /** The spool: the message was accepted before, and waits until it is stored or rejected for good. */
        SPOOL
    }

    PendingPush(PushItem item, Origin origin, long sinceNs, PushTally tally, int index) {
        this(item, origin, null, sinceNs, tally, index);
    }

    private PendingPush(PushItem item, Origin origin, @Nullable SpooledPush spooled, long sinceNs, PushTally tally,
            int index) {
        this.item = item;
        this.origin = origin;
        this.spooled = spooled;
        this.attemptBase = spooled == null ? NOT_ATTEMPTED : spooled.attemptBase();
        this.sinceNs = sinceNs;
        this.tally = tally;
        this.index = index;
    }

    static PendingPush ofSpool(PushItem item, SpooledPush spooled, long sinceNs, PushTally tally) {
        return new PendingPush(item, Origin.SPOOL, spooled, sinceNs, tally, 0);
    }

    PushItem item() {
        return item;
    }

    Origin origin() {
        return origin;
    }

    /** Returns the number of its request. */
    long request() {
        return tally.request();
    }

    long sinceNs() {
        return sinceNs;
    }

    /** Returns since when a producer waits for the call. Messages from the spool never time out: no producer waits for them. */
    long callSinceNs(long nowNs) {
        return isSpooled() ? nowNs : sinceNs;
    }

    boolean isSpooled() {
        return origin == Origin.SPOOL;
    }

    /** The database has another history: offsets that were compared before may have other messages. */
    void compareAgain() {
        provenUpTo = 0;
    }

    /** Returns the record of the spool. Must be called only for a message from the spool. */
    SpooledPush spooled() {
        return Objects.requireNonNull(spooled);
    }

    /**
     * Returns the offset at which a call whose outcome is unknown appends, or would have appended: if the message is stored, it
     * is in the segment that begins there. At most one such offset is unresolved at a time, because the next call is made only
     * when the head of the partition is known again. Otherwise one of the two constants.
     */
    long attemptBase() {
        return attemptBase;
    }

    void setAttemptBase(long base) {
        attemptBase = base;
    }

    /** Returns true if a call may have stored it, given the head of the partition. */
    boolean isInDoubt(long head) {
        return attemptBase != NOT_ATTEMPTED && attemptBase != head;
    }

    /** Every stored message before this offset was compared with it. */
    void provedUpTo(long offset) {
        provenUpTo = offset;
    }

    /** Returns the first offset whose message may make it a duplicate. */
    long provenUpTo() {
        return provenUpTo;
    }

    /** The message is stored in another partition, with whose messages it was not compared. */
    void changePartition() {
        attemptBase = NOT_ATTEMPTED;
        provenUpTo = 0;
    }

    /** Counts a move to another partition because its partition no longer exists. Returns the number of moves. */
    int countMove() {
        return ++moves;
    }

    /** Returns true if it is completed. */
    boolean isDecided() {
        return isDecided;
    }

    void queued(UUID partitionId, long offset) {
        decide(new PushOutcome.Queued(partitionId, offset));
    }

    void duplicateOf(UUID partitionId, UUID originalMessageId) {
        decide(new PushOutcome.Duplicate(partitionId, originalMessageId));
    }

    /** @param partitionId null when the queue is not known yet */
    void buffered(@Nullable UUID partitionId) {
        decide(new PushOutcome.Buffered(partitionId));
    }

    void failed(PushRefusal reason, String error) {
        countRefused(reason, error);
        decide(new PushOutcome.Failed(error));
    }

    /** Messages of the spool are counted by the spool. */
    private void countRefused(PushRefusal reason, String error) {
        if (origin == Origin.CLIENT) {
            tally.countRefused(item.queue(), reason, error);
        }
    }

    private void decide(PushOutcome outcome) {
        isDecided = true;
        tally.decide(index, outcome);
    }

    /** Completes the push with a failure of the call. The failure determines whether the message may be stored. */
    void unavailable(Failure failure) {
        countRefused(switch (failure) {
            case Failure.Maintenance _ -> PushRefusal.MAINTENANCE;
            case Failure.Refused _ -> PushRefusal.REFUSED;
            case Failure.Unavailable _, Failure.Overloaded _ -> PushRefusal.UNAVAILABLE;
        }, failure.message());
        isDecided = true;
        tally.unavailable(index, failure);
    }
}
