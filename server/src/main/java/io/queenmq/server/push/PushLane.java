package io.queenmq.server.push;

import io.queenmq.server.catalog.Queue;
import io.queenmq.server.cipher.CipherException;
import io.queenmq.server.numbers.QueueNumbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * One lane as the push side sees it: who waits to get in, and which transactionIds are known. At most one call of this
 * server adds to a lane at a time, so that calls never wait for each other. Owned by the engine loop.
 */
public final class PushLane {
    private static final int MESSAGES_PER_SEGMENT_MAX = 5_000;
    private static final int BYTES_PER_SEGMENT_MAX = 4 << 20;

    /** Whether the lane was there when it was last looked for. */
    enum Presence {
        FOUND,
        BUSY,
        MISSING
    }

    /** What is stored in another form than it was sent is turned into it here. */
    interface Seal {
        /** Whether the lines of this lane have to be sealed. */
        boolean isRequiredFor(PushLane lane);

        /** @throws io.queenmq.server.cipher.CipherException when it cannot be; the message must not be stored then */
        PushItem seal(PushItem item);
    }

    private Queue queue;
    private Queue latestQueue;
    private final String name;
    private final UUID id;
    private final QueueNumbers numbers;
    private final ArrayDeque<PendingPush> waiting = new ArrayDeque<>();
    private final DedupWindow window = new DedupWindow();
    private List<PendingPush> carried = List.of();
    private boolean isTaken;
    private Presence presence = Presence.MISSING;
    private long head;
    private boolean isNew;
    private int messagesMax = MESSAGES_PER_SEGMENT_MAX;
    private int wanted;
    private int draftedLast;
    private int weighed;
    private int refusals;
    private boolean isOutdated;

    PushLane(Queue queue, String name, QueueNumbers numbers) {
        this.queue = queue;
        this.latestQueue = queue;
        this.name = name;
        this.id = queue.partitionId(name);
        this.numbers = numbers;
        this.weighed = window.weight();
    }

    public Queue queue() {
        return queue;
    }

    /** Takes note of the queue as it is now; its options count from the next time the lane is taken. */
    void follow(Queue now) {
        latestQueue = now;
    }

    public String name() {
        return name;
    }

    public UUID id() {
        return id;
    }

    /** Where to count what happens to the lane's queue. */
    public QueueNumbers numbers() {
        return numbers;
    }

    DedupWindow window() {
        return window;
    }

    /** What the window weighed when it was last weighed. */
    int weighed() {
        return weighed;
    }

    /** Weighs the window and answers by how much it changed. */
    int weigh() {
        int before = weighed;
        weighed = window.weight();
        return weighed - before;
    }

    /** Whether a call or a transaction is working on this lane, or it waits in line for one. */
    public boolean isTaken() {
        return isTaken;
    }

    public void setTaken(boolean isTaken) {
        this.isTaken = isTaken;
        if (isOutdated && !isTaken) {
            isOutdated = false;
            window.forget();
        }
        if (isTaken && queue != latestQueue) {
            adoptQueue();
        }
    }

    private void adoptQueue() {
        if (!Objects.equals(queue.options().dedupWindowSeconds(), latestQueue.options().dedupWindowSeconds())) {
            // A longer window may reach back to what was not remembered so far.
            window.forget();
        }
        queue = latestQueue;
    }

    /** Counts the transactions that wait for this lane; while there are any, single pushes let them go first. */
    public void want(int change) {
        wanted += change;
    }

    boolean isWanted() {
        return wanted > 0;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    PendingPush peek() {
        return waiting.peek();
    }

    PendingPush poll() {
        return waiting.poll();
    }

    void add(PendingPush pending) {
        waiting.add(pending);
    }

    void markMissing() {
        presence = Presence.MISSING;
    }

    void markBusy() {
        presence = Presence.BUSY;
    }

    /** @param isNew whether nobody has pushed to the lane yet */
    void markFound(long head, boolean isNew) {
        presence = Presence.FOUND;
        this.head = head;
        this.isNew = isNew;
    }

    Presence presence() {
        return presence;
    }

    /** Whether the window knows all there was when the lane was last looked at. */
    public boolean isCaughtUp() {
        return window.isKnown() && window.known() >= head;
    }

    /** Messages of the lane are gone, so that their transactionIds are free again: the window learns anew. */
    void forgetWindow() {
        if (isTaken) {
            // Whoever works on the lane counts on what is known; then it is forgotten.
            isOutdated = true;
        } else {
            window.forget();
        }
    }

    /** Somebody may have added to the lane: it has to catch up before anything else. */
    public void doubt() {
        head = Long.MAX_VALUE;
    }

    /** An empty draft of what is to be added next. */
    public SegmentDraft newDraft() {
        return new SegmentDraft(id, window.known(), isNew, queue.options().isLimited() ? queue.id() : null);
    }

    /** How many calls in a row found the lane locked, though nothing was added to it. */
    int refusals() {
        return refusals;
    }

    void countRefusal() {
        refusals++;
    }

    /**
     * Takes what waits, as much as fits one segment, out of line and into a draft. Messages whose hash is known already
     * go to suspects instead: whether they are duplicates is for their transactionIds to say. What should be encrypted
     * and cannot be is told so.
     */
    SegmentDraft draft(List<PendingPush> suspects, Seal seal) {
        SegmentDraft draft = newDraft();
        boolean isSealed = seal.isRequiredFor(this);
        carried = new ArrayList<>();
        Map<String, PendingPush> inDraft = waiting.size() > 1 ? new HashMap<>() : null;
        int bytes = 0;
        while (!waiting.isEmpty() && draft.count() < messagesMax
                && (draft.count() == 0 || bytes + waiting.peek().item().line().length <= BYTES_PER_SEGMENT_MAX)) {
            PendingPush next = waiting.poll();
            next.pardon(window.known());
            PendingPush twin = inDraft == null ? null : inDraft.putIfAbsent(next.item().transactionId(), next);
            if (twin != null) {
                twin.follow(next);
            } else if (window.find(next.item().hash()) >= next.provenUpTo()) {
                suspects.add(next);
            } else {
                PushItem item = isSealed ? sealed(next, seal) : next.item();
                if (item != null) {
                    draft.add(item);
                    carried.add(next);
                    bytes += item.line().length;
                } else if (inDraft != null) {
                    inDraft.remove(next.item().transactionId());
                }
            }
        }
        draftedLast = draft.count();
        return draft;
    }

    /** Null when it cannot be, which is told to whoever waits for it. */
    private static PushItem sealed(PendingPush pending, Seal seal) {
        try {
            return seal.seal(pending.item());
        } catch (CipherException e) {
            pending.failed(e.getMessage());
            return null;
        }
    }

    /** The draft was stored, as far as there was room for it: everybody who stood in it is told. */
    void stored(SegmentDraft draft) {
        draft.teach(window);
        head = window.known();
        isNew = false;
        tell(draft);
    }

    /** There was no room for the draft: everybody in it is told. */
    void refused(SegmentDraft draft) {
        tell(draft);
    }

    private void tell(SegmentDraft draft) {
        refusals = 0;
        messagesMax = MESSAGES_PER_SEGMENT_MAX;
        List<PendingPush> done = carried;
        carried = List.of();
        for (int i = 0; i < done.size(); i++) {
            if (i < draft.count()) {
                done.get(i).queued(id);
            } else {
                done.get(i).failed(draft.refusal());
            }
        }
    }

    /** The draft was not stored: everybody in it stands in line again, in the old order. */
    void putBack() {
        List<PendingPush> again = carried;
        carried = List.of();
        for (int i = again.size() - 1; i >= 0; i--) {
            PendingPush pending = again.get(i);
            putBack(pending);
        }
    }

    void putBack(PendingPush pending) {
        List<PendingPush> followers = pending.dismissFollowers();
        for (int j = followers.size() - 1; j >= 0; j--) {
            waiting.addFirst(followers.get(j));
        }
        waiting.addFirst(pending);
    }

    /** PostgreSQL refused the draft that was put back: try half of it, or give up on a message that stands alone. */
    PendingPush narrowDown() {
        if (draftedLast > 1) {
            messagesMax = draftedLast / 2;
            return null;
        }
        messagesMax = MESSAGES_PER_SEGMENT_MAX;
        return waiting.poll();
    }
}
