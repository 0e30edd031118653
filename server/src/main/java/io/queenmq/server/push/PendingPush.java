package io.queenmq.server.push;

import io.queenmq.server.numbers.PushRefusal;
import io.queenmq.server.reply.Failure;
import java.util.UUID;

/** One message that waits in its lane to be stored, and who wants to know what became of it. */
final class PendingPush {
    private final PushItem item;
    private final long sinceNs;
    private final PushTally tally;
    private final int index;
    private final Origin origin;
    private boolean isPardoned;
    private long provenUpTo;
    private boolean isDecided;
    private String sealingError;
    private int moves;

    /** Where a message comes from. */
    enum Origin {
        CLIENT,
        /** A dead letter on its way back. */
        DEAD_LETTER,
        /** Accepted before, and kept elsewhere until now: it stays in line until it is stored or refused for good. */
        SPOOL
    }

    PendingPush(PushItem item, Origin origin, long sinceNs, PushTally tally, int index) {
        this.item = item;
        this.origin = origin;
        this.sinceNs = sinceNs;
        this.tally = tally;
        this.index = index;
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

    /** Whether it is a dead letter on its way back, which another message with its transactionId does not turn away. */
    boolean isRedriven() {
        return origin == Origin.DEAD_LETTER;
    }

    boolean isSpooled() {
        return origin == Origin.SPOOL;
    }

    /**
     * What is in the lane when a dead letter comes to it does not make it a duplicate; what comes later may be itself,
     * stored by a call whose answer was lost.
     */
    void pardon(long known) {
        if (isRedriven() && !isPardoned) {
            isPardoned = true;
            provenUpTo = known;
        }
    }

    /** Its hash met another's at this offset, but it is no duplicate of that one: the two are not compared again. */
    void proveUnique(long offset) {
        provenUpTo = offset + 1;
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

    /** How often its lane turned out to be gone. */
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
