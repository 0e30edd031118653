package io.queenmq.engine.push;

import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.partition.Segment;
import io.queenmq.engine.push.PushRoutines.CatchUpAnswer;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a partition for pushes: the queue of messages that wait to be stored, and the known transactionIds. At most one
 * call of this server appends to a partition at a time, so that calls never wait for each other. Owned by the engine loop.
 */
public final class PushPartition {
    private static final int MESSAGES_PER_SEGMENT_MAX = 5_000;
    private static final int BYTES_PER_SEGMENT_MAX = 4 << 20;

    /** The result of the last lookup of the partition. */
    private enum Presence {
        FOUND,
        BUSY,
        MISSING
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
        return windowSeconds == null ? defaultRule : DedupRule.ofSeconds(windowSeconds, defaultRule.messagesMax());
    }

    /** Returns the rule by which messages of the partition are duplicates. */
    DedupRule rule() {
        return rule;
    }

    public Queue queue() {
        return queue;
    }

    /** Sets the queue as it is now. Its options apply from the next time the partition is taken. */
    void follow(Queue now) {
        latestQueue = now;
    }

    public String name() {
        return name;
    }

    public UUID id() {
        return id;
    }

    /** Returns true if its queue has a maximum size. */
    public boolean isLimited() {
        return queue.options().isLimited();
    }

    /** Returns the counters of its queue. */
    public QueueNumbers numbers() {
        return numbers;
    }

    DedupWindow window() {
        return window;
    }

    /** Returns the weight of the window when it was last weighed. */
    int weighed() {
        return weighed;
    }

    /** Weighs the window and returns by how much its weight changed. */
    int weigh() {
        int before = weighed;
        weighed = window.weight();
        return weighed - before;
    }

    /** Returns true if a turn or a bundle has taken the partition. */
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
            // A longer window may cover messages that are not in memory.
            window.clearAll();
        }
        queue = latestQueue;
        rule = ruleOf(queue);
    }

    /** Returns the bundles that wait for this partition, and the state of its lock. */
    PartitionAccess access() {
        return access;
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    PendingPush peek() {
        return waiting.peek();
    }

    private PendingPush poll() {
        PendingPush first = waiting.poll();
        waitingBytes -= first.item().line().length;
        return first;
    }

    void add(PendingPush pending) {
        waiting.add(pending);
        waitingBytes += pending.item().line().length;
    }

    /** Applies the loaded state of the partition. */
    void caughtUp(CatchUpAnswer answer) {
        switch (answer) {
            case CatchUpAnswer.Missing() -> presence = Presence.MISSING;
            case CatchUpAnswer.Busy() -> presence = Presence.BUSY;
            case CatchUpAnswer.Found(var state) -> {
                presence = Presence.FOUND;
                head = state.head();
                tail = state.tail();
                isNew = state.isNew();
                isPartial = state.isPartial();
                window.startAt(state.known());
                state.segments().forEach(segment -> window.append(segment.hashes(), 0, segment.hashes().length,
                        segment.createdAtMicros()));
            }
        }
    }

    /** Returns the first offset that was stored when the partition was last looked up. */
    long tail() {
        return tail;
    }

    /**
     * Returns true if the window need not be loaded: the next message is from a spool, and PostgreSQL searches its
     * transactionId. So draining does not load windows, however many messages they have.
     */
    boolean needsOnlyHead() {
        return !waiting.isEmpty() && waiting.peek().isSpooled();
    }

    /** Returns true if the window covers every message that was stored when the partition was last looked up. */
    public boolean isCaughtUp() {
        return window.isKnown() && window.known() >= head;
    }

    /** Drops the window, because messages were removed, so that their transactionIds are free again. */
    void dropWindow() {
        if (isTaken) {
            // The turn or bundle that has the partition needs the window; it is dropped afterward.
            isOutdated = true;
        } else {
            window.clearAll();
        }
    }

    /** Drops all loaded state, because the database has another history. Pending pushes stay, and are compared again. */
    void reset() {
        window.clearAll();
        presence = Presence.MISSING;
        head = 0;
        tail = 0;
        isNew = false;
        isPartial = false;
        isOutdated = false;
        waiting.forEach(PendingPush::compareAgain);
    }

    /** Returns true if the next draft can be made: from the loaded state of the partition, or as its first segment. */
    boolean canDraft() {
        return isCaughtUp() || !waiting.isEmpty() && canBegin();
    }

    /** Drops an outdated window. Must be called only while no call relies on the window. */
    void refresh() {
        if (isOutdated) {
            isOutdated = false;
            window.clearAll();
        }
    }

    /** Drops a window that lacks transactionIds, so that all of it is loaded. Must be called only while no call relies on it. */
    void dropPartialWindow() {
        if (isPartial) {
            isPartial = false;
            window.clearAll();
        }
    }

    /** A call of unknown outcome may have appended to the partition: it must catch up before anything else. */
    void invalidateHead() {
        head = Long.MAX_VALUE;
    }

    /**
     * Returns true if the partition may not exist yet, so that a call may create it with its first segment without loading
     * its state. A message from a spool may have been stored before, and an encrypted one is bound to its offset.
     */
    boolean canBegin() {
        return !window.isKnown() && presence == Presence.MISSING && !isLimited() && !waiting.peek().isSpooled()
                && !queue.options().encryptionEnabled();
    }

    /** Returns an empty draft of the next segment. */
    public SegmentDraft newDraft() {
        return window.isKnown()
                ? new SegmentDraft(id, window.known(), isNew, isLimited() ? queue.id() : null)
                : SegmentDraft.ofNewPartition(id, queue.id(), name);
    }

    /** Returns about how many bytes the next draft has. */
    long draftBytes() {
        return waiting.isEmpty()
                ? 0
                : Math.max(waiting.peek().item().line().length, Math.min(waitingBytes, BYTES_PER_SEGMENT_MAX));
    }

    /** Returns the pushes of the next draft that a call of unknown outcome may have stored. The partition is caught up. */
    List<PendingPush> inDoubt() {
        return front(pending -> pending.isInDoubt(window.known()));
    }

    /**
     * Returns the pushes of the next draft whose hash is known: their transactionIds and times decide whether they are
     * duplicates. Until then no push after them is stored. The partition is caught up.
     */
    List<PendingPush> suspects() {
        return front(this::isSuspect);
    }

    /** Returns the pushes of the next draft that are from the spool and not compared with all that is stored. */
    List<PendingPush> uncheckedSpooled() {
        return front(pending -> pending.isSpooled() && pending.provenUpTo() < window.known());
    }

    private List<PendingPush> front(Predicate<PendingPush> isWanted) {
        List<PendingPush> wanted = new ArrayList<>(0);
        int visited = 0;
        for (PendingPush pending : waiting) {
            if (++visited > messagesMax) {
                break;
            }
            if (isWanted.test(pending)) {
                wanted.add(pending);
            }
        }
        return wanted;
    }

    private boolean isSuspect(PendingPush pending) {
        return !rule.isOff() && !pending.isSpooled() && window.find(pending.item().hash()) >= pending.provenUpTo();
    }

    /** Returns true if it must be compared with stored messages before it may be stored. */
    private boolean isUndecided(PendingPush pending) {
        if (!window.isKnown()) {
            return pending.isSpooled();
        }
        return pending.isInDoubt(window.known())
                || (pending.isSpooled() ? pending.provenUpTo() < window.known() : isSuspect(pending));
    }

    /**
     * Returns a draft of the front of the queue, as much as fits one segment, up to the first message that must be compared
     * first. Messages from a spool and others are not stored together, because their times of acceptance are compared
     * differently. No push is removed from the queue.
     *
     * @param encryptionOrNull null if messages are stored as they are
     */
    PushDraft draft(@Nullable PayloadEncryption encryptionOrNull) {
        PushDraft draft = new PushDraft(newDraft(), rule);
        long bytes = 0;
        for (PendingPush next : waiting) {
            bytes += next.item().line().length;
            boolean isFull = draft.size() >= messagesMax || draft.size() > 0 && bytes > BYTES_PER_SEGMENT_MAX;
            boolean isOfOtherKind = draft.size() > 0 && draft.isSpooled() != next.isSpooled();
            if (isFull || isOfOtherKind || isUndecided(next)) {
                break;
            }
            draft.add(next, encryptionOrNull, this);
        }
        return draft;
    }

    /**
     * Adds a segment that was stored directly after the messages of the window. The first segment of an unknown window begins it.
     */
    void stored(Segment segment) {
        if (!window.isKnown()) {
            window.startAt(segment.base());
            presence = Presence.FOUND;
        }
        window.append(segment.hashes(), 0, segment.count(), segment.createdAtMicros());
        head = window.known();
        isNew = false;
        access.stored();
    }

    /** Removes pushes at the front of the queue. They are completed, or about to be. */
    void remove(int count) {
        for (int i = 0; i < count; i++) {
            poll();
        }
    }

    /** Removes the pushes for which this is true, and returns them in their order. */
    List<PendingPush> remove(Predicate<PendingPush> isRemoved) {
        List<PendingPush> removed = new ArrayList<>(0);
        waiting.removeIf(pending -> isRemoved.test(pending) && removed.add(pending));
        removed.forEach(pending -> waitingBytes -= pending.item().line().length);
        return removed;
    }

    boolean hasSpooled() {
        return waiting.stream().anyMatch(PendingPush::isSpooled);
    }

    /** Limits the size of the next drafts, because PostgreSQL rejects some message of a larger one. */
    void limitDrafts(int messages) {
        messagesMax = messages;
    }

    void resetDraftLimit() {
        messagesMax = MESSAGES_PER_SEGMENT_MAX;
    }
}
