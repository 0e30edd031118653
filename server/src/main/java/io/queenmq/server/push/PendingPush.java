package io.queenmq.server.push;

import io.queenmq.server.reply.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** One message that waits in its lane to be stored, and who wants to know what became of it. */
final class PendingPush {
    private final PushItem item;
    private final long sinceNs;
    private final PushTally tally;
    private final int index;
    private final boolean isRedriven;
    private boolean isPardoned;
    private long provenUpTo;
    private List<PendingPush> followers = List.of();

    PendingPush(PushItem item, boolean isRedriven, long sinceNs, PushTally tally, int index) {
        this.item = item;
        this.isRedriven = isRedriven;
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

    /** Whether it is a dead letter on its way back, which another message with its transactionId does not turn away. */
    boolean isRedriven() {
        return isRedriven;
    }

    /**
     * What is in the lane when a dead letter comes to it does not make it a duplicate; what comes later may be itself,
     * stored by a call whose answer was lost.
     */
    void pardon(long known) {
        if (isRedriven && !isPardoned) {
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

    /** A later message with the same transactionId, which is a duplicate if and only if this one is stored. */
    void follow(PendingPush later) {
        if (followers.isEmpty()) {
            followers = new ArrayList<>(2);
        }
        followers.add(later);
    }

    /** The followers, which are on their own again. */
    List<PendingPush> dismissFollowers() {
        List<PendingPush> dismissed = followers;
        followers = List.of();
        return dismissed;
    }

    void queued(UUID partitionId) {
        tally.decide(index, new PushOutcome.Queued(partitionId));
        for (PendingPush follower : followers) {
            follower.duplicateOf(partitionId, item.messageId());
        }
    }

    void duplicateOf(UUID partitionId, UUID originalMessageId) {
        tally.decide(index, new PushOutcome.Duplicate(partitionId, originalMessageId));
        for (PendingPush follower : followers) {
            follower.duplicateOf(partitionId, originalMessageId);
        }
    }

    void failed(String error) {
        tally.decide(index, new PushOutcome.Failed(error));
        for (PendingPush follower : followers) {
            follower.failed(error);
        }
    }

    /** Nobody can say whether it was stored. */
    void unavailable(Failure failure) {
        tally.unavailable(index, failure);
        for (PendingPush follower : followers) {
            follower.unavailable(failure);
        }
    }
}
