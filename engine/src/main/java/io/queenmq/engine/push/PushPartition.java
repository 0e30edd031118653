package io.queenmq.engine.push;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * One partition as the push side sees it: who waits to get in, and which transactionIds are known. At most one call of this
 * server adds to a partition at a time, so that calls never wait for each other. Owned by the engine loop.
 */
public final class PushPartition {
    private static final int MESSAGES_PER_SEGMENT_MAX = 5_000;
    private static final int BYTES_PER_SEGMENT_MAX = 4 << 20;

    /** Whether the partition was there when it was last looked for. */
    enum Presence {
        FOUND,
        BUSY,
        MISSING
    }

    /** What is stored in another form than it was sent is turned into it here. */
    interface Seal {
        /** Whether the lines of this partition have to be sealed. */
        boolean isRequiredFor(PushPartition partition);

        /**
         * @param offset where it is stored, or not at all; negative when that is not known
         * @throws io.queenmq.engine.cipher.CipherException when it cannot be; the message must not be stored then
         */
        PushItem seal(PushItem item, PushPartition partition, long offset);
    }

    private Queue queue;
    private Queue latestQueue;
    private final String name;
    private final UUID id;
    private final QueueNumbers numbers;
    private final ArrayDeque<PendingPush> waiting = new ArrayDeque<>();
    private final DedupWindow window = new DedupWindow();
    private long waitingBytes;
    private boolean isTaken;
    private Presence presence = Presence.MISSING;
    private final DedupRule defaultRule;
    private DedupRule rule;
    private long head;
    private long tail;
    private boolean isPartial;
    private boolean isNew;
    private int messagesMax = MESSAGES_PER_SEGMENT_MAX;
    private final PartitionAccess access = new PartitionAccess();
    private int weighed;
    private boolean isOutdated;

    /** @param defaultRule for queues without a duplicate window of their own */
    PushPartition(Queue queue, String name, QueueNumbers numbers, DedupRule defaultRule) {
        this.defaultRule = defaultRule;
        this.queue = queue;
        this.latestQueue = queue;
        this.name = name;
        this.id = queue.partitionId(name);
        this.numbers = numbers;
        this.weighed = window.weight();
        this.rule = ruleOf(queue);
    }

    private DedupRule ruleOf(Queue each) {
        Integer windowSeconds = each.options().dedupWindowSeconds();
        return windowSeconds == null
                ? defaultRule
                : DedupRule.ofSeconds(windowSeconds, defaultRule.messagesMax());
    }

    /** The rule by which messages of the partition are duplicates. */
    DedupRule rule() {
        return rule;
    }

    public Queue queue() {
        return queue;
    }

    /** Takes note of the queue as it is now; its options count from the next time the partition is taken. */
    void follow(Queue now) {
        latestQueue = now;
    }

    public String name() {
        return name;
    }

    public UUID id() {
        return id;
    }

    /** Whether its queue takes only so many messages. */
    public boolean isLimited() {
        return queue.options().isLimited();
    }

    /** Where to count what happens to the partition's queue. */
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

    /** Whether a call or a transaction is working on this partition, or it waits in line for one. */
    public boolean isTaken() {
        return isTaken;
    }

    public void setTaken(boolean isTaken) {
        this.isTaken = isTaken;
        if (!isTaken) {
            refresh();
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
        rule = ruleOf(queue);
    }

    /** Which bundles wait for this partition, and whether it can be had soon. */
    PartitionAccess access() {
        return access;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    PendingPush peek() {
        return waiting.peek();
    }

    PendingPush poll() {
        PendingPush first = waiting.poll();
        waitingBytes -= first.item().line().length;
        return first;
    }

    void add(PendingPush pending) {
        waiting.add(pending);
        waitingBytes += pending.item().line().length;
    }

    void markMissing() {
        presence = Presence.MISSING;
    }

    void markBusy() {
        presence = Presence.BUSY;
    }

    /**
     * @param isNew whether nobody has pushed to the partition yet
     * @param isPartial whether the window is loaded without the transactionIds of earlier messages
     */
    void markFound(long head, long tail, boolean isNew, boolean isPartial) {
        presence = Presence.FOUND;
        this.head = head;
        this.tail = tail;
        this.isNew = isNew;
        this.isPartial = isPartial;
    }

    /** The first offset that was stored when the partition was last looked up. */
    long tail() {
        return tail;
    }

    /** Whether nothing was stored in the partition when it was last looked up, now or before. */
    boolean isNew() {
        return isNew;
    }

    /**
     * Whether the window need not be loaded: the next message comes from a spool, and PostgreSQL is asked for its
     * transactionId. So draining does not load windows, however many messages they have.
     */
    boolean needsOnlyHead() {
        return !waiting.isEmpty() && waiting.peek().isSpooled();
    }

    Presence presence() {
        return presence;
    }

    /** Whether the window knows all there was when the partition was last looked at. */
    public boolean isCaughtUp() {
        return window.isKnown() && window.known() >= head;
    }

    /** Messages of the partition are gone, so that their transactionIds are free again: the window learns anew. */
    void forgetWindow() {
        if (isTaken) {
            // Whoever works on the partition counts on what is known; then it is forgotten.
            isOutdated = true;
        } else {
            window.forget();
        }
    }

    /** The database has another history: nothing is known of the partition, whoever works on it. Pending pushes stay. */
    void startOver() {
        window.forget();
        presence = Presence.MISSING;
        head = 0;
        tail = 0;
        isNew = false;
        isPartial = false;
        isOutdated = false;
        waiting.forEach(PendingPush::startOver);
    }

    /** Whether the next draft can be made: of what is known of the partition, or as its first segment. */
    boolean canDraft() {
        return isCaughtUp() || !waiting.isEmpty() && canBegin();
    }

    /** Nobody is at work with what is known: if that does not reach back far enough, it is forgotten. */
    void refresh() {
        if (isOutdated) {
            isOutdated = false;
            window.forget();
        }
    }

    /** Drops a window that lacks transactionIds, so that the whole window is loaded. Nobody is at work with what is known. */
    void loadWhole() {
        if (isPartial) {
            isPartial = false;
            window.forget();
        }
    }

    /** Somebody may have added to the partition: it has to catch up before anything else. */
    public void doubt() {
        head = Long.MAX_VALUE;
    }

    /**
     * Whether the partition may be one that nobody has pushed to yet: if it is, it begins with what is in line, and nothing has
     * to be known of it. A message from a spool may have been stored before, and one that is encrypted is bound to its offset.
     */
    boolean canBegin() {
        return !window.isKnown() && presence == Presence.MISSING && !isLimited() && !waiting.peek().isSpooled()
                && !queue.options().encryptionEnabled();
    }

    /** An empty draft of what is to be added next. */
    public SegmentDraft newDraft() {
        return window.isKnown()
                ? new SegmentDraft(id, window.known(), isNew, isLimited() ? queue.id() : null)
                : SegmentDraft.beginning(id, queue.id(), name);
    }

    /** How many bytes the next draft has, about. */
    long draftBytes() {
        return waiting.isEmpty()
                ? 0
                : Math.max(waiting.peek().item().line().length,
                        Math.min(waitingBytes, BYTES_PER_SEGMENT_MAX));
    }

    /** Those who may be in the next draft and may have been stored by a call whose outcome is unknown. The partition is caught up. */
    List<PendingPush> inDoubt() {
        return front(pending -> pending.isInDoubt(window.known()));
    }

    /**
     * Those who may be in the next draft and whose hash is known already: whether they are duplicates is for their
     * transactionIds and times to say, and until then nobody behind them goes. The partition is caught up.
     */
    List<PendingPush> suspects() {
        return front(this::isSuspect);
    }

    /** Those from the spool who may be in the next draft and were not compared with all that is stored. The partition is caught up. */
    List<PendingPush> uncheckedSpooled() {
        return front(pending -> pending.isSpooled() && pending.provenUpTo() < window.known());
    }

    private List<PendingPush> front(Predicate<PendingPush> isWanted) {
        List<PendingPush> wanted = new ArrayList<>(0);
        int looked = 0;
        for (PendingPush pending : waiting) {
            if (++looked > messagesMax) {
                break;
            }
            if (isWanted.test(pending)) {
                wanted.add(pending);
            }
        }
        return wanted;
    }

    private boolean isSuspect(PendingPush pending) {
        return !rule.isOff() && !pending.isSpooled()
                && window.find(pending.item().hash()) >= pending.provenUpTo();
    }

    /** Whether it has to be compared with stored messages before it may be stored. */
    private boolean isUndecided(PendingPush pending) {
        if (!window.isKnown()) {
            return pending.isSpooled();
        }
        return pending.isInDoubt(window.known())
                || (pending.isSpooled() ? pending.provenUpTo() < window.known() : isSuspect(pending));
    }

    /**
     * Covers the front of the line, as much as fits one segment, up to the first message that is not decided: one that came
     * after the others were examined has its turn next time. Messages from a spool and others are not covered together,
     * because their times of acceptance are compared differently. Nobody leaves the line.
     */
    PushDraft draft(Seal seal) {
        PushDraft draft = new PushDraft(newDraft(), rule);
        Seal sealOrNull = seal.isRequiredFor(this) ? seal : null;
        long bytes = 0;
        for (PendingPush next : waiting) {
            bytes += next.item().line().length;
            boolean isFull = draft.size() >= messagesMax || draft.size() > 0 && bytes > BYTES_PER_SEGMENT_MAX;
            boolean isOfOtherKind = draft.size() > 0 && draft.isSpooled() != next.isSpooled();
            if (isFull || isOfOtherKind || isUndecided(next)) {
                break;
            }
            draft.add(next, sealOrNull, this);
        }
        return draft;
    }

    /** A segment was stored in this partition, and follows on what is known of it. */
    void stored(SegmentDraft segment) {
        if (!window.isKnown()) {
            window.startAt(segment.base());
            presence = Presence.FOUND;
        }
        segment.teach(window);
        head = window.known();
        isNew = false;
        access.stored();
    }

    /** Takes those at the front out of line. They were told, or are about to be. */
    void leave(int count) {
        for (int i = 0; i < count; i++) {
            poll();
        }
    }

    /** Takes everybody out of line of whom this is true, and answers them in their order. */
    List<PendingPush> leave(Predicate<PendingPush> isToLeave) {
        List<PendingPush> leaving = new ArrayList<>(0);
        waiting.removeIf(pending -> isToLeave.test(pending) && leaving.add(pending));
        leaving.forEach(pending -> waitingBytes -= pending.item().line().length);
        return leaving;
    }

    boolean hasSpooled() {
        return waiting.stream().anyMatch(PendingPush::isSpooled);
    }

    /** PostgreSQL refuses something in a draft of several: the next ones are half as large. */
    void narrowTo(int messages) {
        messagesMax = messages;
    }

    void widen() {
        messagesMax = MESSAGES_PER_SEGMENT_MAX;
    }
}
