package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;

import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.engine.reply.Failure;
import java.util.UUID;

/** One message that waits in its partition to be stored, and who wants to know what became of it. */
final class PendingPush {
    static final long NOT_ATTEMPTED = SpooledPush.NOT_ATTEMPTED;
    static final long ATTEMPTED_AS_FIRST = SpooledPush.ATTEMPTED_AS_FIRST;

    private final PushItem item;
    private final long sinceNs;
    private final PushTally tally;
    private final int index;
    private final Origin origin;
    private final SpooledPush spooled;
    private long attemptBase;
    private long provenUpTo;
    private boolean isDecided;
    private String sealingError;
    private int moves;

    /** Where a message comes from. */
    enum Origin {
        CLIENT,
        /** Accepted before, and kept elsewhere until now: it stays in line until it is stored or refused for good. */
        SPOOL
    }

    PendingPush(PushItem item, Origin origin, long sinceNs, PushTally tally, int index) {
        this(item, origin, null, sinceNs, tally, index);
    }

    private PendingPush(PushItem item, Origin origin, SpooledPush spooled, long sinceNs, PushTally tally, int index) {
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

    /** The request it came with. */
    long request() {
        return tally.request();
    }

    long sinceNs() {
        return sinceNs;
    }

    /** Since when somebody waits for a call: nobody waits for what comes from the spool, which has all the time it needs. */
    long callSinceNs(long nowNs) {
        return isSpooled() ? nowNs : sinceNs;
    }

    boolean isSpooled() {
        return origin == Origin.SPOOL;
    }

    /** The database has another history: offsets that were compared before may hold other messages. */
    void startOver() {
        provenUpTo = 0;
    }

    /** What the spool knows of it; null for a message that does not come from a spool. */
    SpooledPush spooled() {
        return spooled;
    }

    /**
     * The offset at which a call whose outcome is unknown appends, or would have appended: if the message is stored, it is in
     * the segment that begins there. At most one such offset is unresolved at a time, because the next call is made only when
     * the head of the partition is known again. Otherwise one of the two constants.
     */
    long attemptBase() {
        return attemptBase;
    }

    void setAttemptBase(long base) {
        attemptBase = base;
    }

    /** Whether a call may have stored it, given that the head of the partition is known. */
    boolean isInDoubt(long head) {
        return attemptBase != NOT_ATTEMPTED && attemptBase != head;
    }

    /** Every stored message before this offset was compared with it. */
    void provedUpTo(long offset) {
        provenUpTo = offset;
    }

    /** The first offset whose message may make it a duplicate. */
    long provenUpTo() {
        return provenUpTo;
    }

    /** Why the message could not be encrypted; null when it could be, or need not. */
    String sealingError() {
        return sealingError;
    }

    void setSealingError(String error) {
        sealingError = error;
    }

    /** It goes to another partition, with which it was not compared. */
    void changePartition() {
        attemptBase = NOT_ATTEMPTED;
        provenUpTo = 0;
    }

    /** How often its partition turned out to be gone. */
    int countMove() {
        return ++moves;
    }

    /** Whether it was answered. */
    boolean isDecided() {
        return isDecided;
    }

    void queued(UUID partitionId) {
        decide(new PushOutcome.Queued(partitionId));
    }

    void duplicateOf(UUID partitionId, UUID originalMessageId) {
        decide(new PushOutcome.Duplicate(partitionId, originalMessageId));
    }

    /** @param partitionId null when the queue is not known yet */
    void buffered(UUID partitionId) {
        decide(new PushOutcome.Buffered(partitionId));
    }

    void failed(PushRefusal reason, String error) {
        countRefused(reason, error);
        decide(new PushOutcome.Failed(error));
    }

    /** What was accepted before and what is a dead letter is counted by those who bring it. */
    private void countRefused(PushRefusal reason, String error) {
        if (origin == Origin.CLIENT) {
            tally.countRefused(item.queue(), reason, error);
        }
    }

    private void decide(PushOutcome outcome) {
        isDecided = true;
        tally.decide(index, outcome);
    }

    /** Nobody can say whether it was stored. */
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
