package io.queenmq.engine.pop;

import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.pop.ShardView.Knowledge;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The cached backlog of a group in a queue: the known partitions, and the queue of ready partitions, which take turns. Owned
 * by the engine loop.
 */
final class Backlog implements PopEvent, Awaited {
    private static final int EMPTY_SCANS_MIN = 3;
    /** Much less than the time that a scan covers, so that a partition that another server leased does not stay unknown. */
    private static final long EMPTY_SCANS_VALID_NS = 5_000_000_000L;

    private final String queueName;
    private final String group;
    private final QueueNumbers numbers;
    private final Map<UUID, GroupPartition> partitions = new HashMap<>();
    private final ReadyQueue ready;
    private final List<ShardView> views = new ArrayList<>();
    private final IntPredicate isShardAvailable;
    private final LinkedHashSet<GroupPartition> leased = new LinkedHashSet<>();
    private final Map<String, Waiters> named = new HashMap<>();
    private final Waiters waiters;
    private final Backoff freshBackoff;
    private final PopSizes sizes;
    private @Nullable Queue queue;
    private int era;
    private long usedAtNs;
    private long poppedAtNs;
    private boolean wasPopped;
    private int waitingCount;
    private int awaiting;

    /**
     * @param shards the number of shards
     * @param isShardAvailable returns true if the shard with that number can be reached
     */
    Backlog(String queueName, String group, QueueNumbers numbers, Backoff backoff, int shards,
            IntPredicate isShardAvailable, PopSizes sizes) {
        this.sizes = sizes;
        this.isShardAvailable = isShardAvailable;
        this.ready = new ReadyQueue(shards, isShardAvailable);
        for (int i = 0; i < shards; i++) {
            views.add(new ShardView());
        }
        this.queueName = queueName;
        this.group = group;
        this.numbers = numbers;
        this.freshBackoff = backoff;
        this.waiters = new Waiters(this, null, backoff);
    }

    String queueName() {
        return queueName;
    }

    String group() {
        return group;
    }

    /** Returns the counters of the queue. */
    QueueNumbers numbers() {
        return numbers;
    }

    /** Returns the queue; null if it does not exist. */
    @Nullable
    Queue queue() {
        return queue;
    }

    /** Returns the queue, which must exist. */
    Queue existingQueue() {
        return Objects.requireNonNull(queue);
    }

    /** Replaces the queue. Returns whether the cached state of its partitions is no longer valid. */
    boolean setQueue(@Nullable Queue now) {
        boolean isAnother = queue == null || now == null
                ? queue != now
                : !now.id().equals(queue.id()) || now.revision() != queue.revision()
                        || now.isOpenFor(group) != queue.isOpenFor(group);
        queue = now;
        return isAnother;
    }

    Map<UUID, GroupPartition> partitions() {
        return partitions;
    }

    /** Returns whether the queue exists and the group may pop from it. */
    boolean isOpen() {
        return queue != null && queue.isOpenFor(group);
    }

    boolean hasReady() {
        return isOpen() && ready.hasNext();
    }

    /** Returns the shard of the next ready partition, without the given shards; {@link ReadyQueue#NONE} if there is none. */
    int nextShard(long passedOver) {
        return isOpen() ? ready.nextShard(passedOver) : ReadyQueue.NONE;
    }

    /** Adds the next ready partitions of a shard to the list, until it has that many. They stay in the ready queue. */
    void addReadyTo(List<GroupPartition> candidates, int shard, int max) {
        for (GroupPartition each = ready.first(shard); each != null && candidates.size() < max; each = each.nextReady) {
            candidates.add(each);
        }
    }

    /** Returns the ready partitions of a shard, in order. */
    List<GroupPartition> readyIn(int shard) {
        return ready.of(shard);
    }

    /**
     * Adds a partition to the end of the ready queue, or to its front if the lease call did not need it, so that it does not lose
     * its turn.
     */
    void addReady(GroupPartition partition, boolean isFirst) {
        if (!contains(partition)) {
            partition.become(State.IDLE);
            return;
        }
        removeReady(partition);
        partition.become(State.READY);
        if (isFirst) {
            ready.addFirst(partition);
        } else {
            ready.addLast(partition);
        }
        sizes.addReadyPartitions(1);
    }

    /** Removes a partition from the ready queue. */
    void removeReady(GroupPartition partition) {
        if (partition.isQueued()) {
            ready.remove(partition);
            sizes.addReadyPartitions(-1);
        }
    }

    /** Adds a leased partition. Its lease may end early, on a server that sends no hint. */
    void addLeased(GroupPartition partition) {
        leased.add(partition);
    }

    /** Removes a partition that is no longer leased. */
    void removeLeased(GroupPartition partition) {
        leased.remove(partition);
    }

    /** Returns false if the partition was evicted, because its queue was deleted or revised. */
    boolean contains(GroupPartition partition) {
        return partitions.get(partition.id()) == partition;
    }

    /** Returns up to max of the leased partitions, other ones with every call. */
    List<GroupPartition> nextLeased(int max) {
        List<GroupPartition> next = new ArrayList<>(Math.min(max, leased.size()));
        for (Iterator<GroupPartition> each = leased.iterator(); each.hasNext() && next.size() < max;) {
            next.add(each.next());
            each.remove();
        }
        leased.addAll(next);
        return next;
    }

    /** Returns the pops that wait for any partition. */
    Waiters waiters() {
        return waiters;
    }

    /** Returns the pops that wait for this partition, which need not exist. */
    Waiters waitersOf(String partition) {
        return named.computeIfAbsent(partition, _ -> {
            sizes.addWaitingPartitions(1);
            return new Waiters(this, partition, freshBackoff);
        });
    }

    /** Returns the pops that wait for this partition, or waited until recently; null if there are none. */
    @Nullable
    Waiters findWaitersOf(String partition) {
        return named.get(partition);
    }

    /** Removes an entry in which no pop waits and for which no poll is scheduled. */
    void removeWaiters(Waiters unused) {
        if (unused.partition() != null && named.remove(unused.partition(), unused)) {
            sizes.addWaitingPartitions(-1);
        }
    }

    /** Counts the pops that wait for messages of the queue. */
    void countWaiting(int change) {
        waitingCount += change;
        sizes.addWaitingEntries(change);
    }

    /** Counts the pops that wait for the scan in flight. Called by {@link WaitingPops} only. */
    void countAwaiting(int change) {
        awaiting += change;
    }

    /** Returns whether pops wait for the scan in flight. */
    boolean isAwaited() {
        return awaiting > 0;
    }

    List<Waiters> namedWaiters() {
        return List.copyOf(named.values());
    }

    boolean hasWaiters() {
        return waitingCount > 0;
    }

    /** Returns what was scanned of a shard. */
    ShardView view(int shard) {
        return views.get(shard);
    }

    /** Returns what was scanned of each shard, by number. */
    List<ShardView> views() {
        return views;
    }

    /** Returns whether a scan of an available shard is in flight. */
    boolean isBeingScanned() {
        for (int shard = 0; shard < views.size(); shard++) {
            if (views.get(shard).isInFlight() && isShardAvailable.test(shard)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the last scan may be skipped by a pop that may wait: recent scans of all available shards found no
     * partition that was unknown to this server. That is the case while this server itself stores the messages of the queue. If
     * another server stores some, the {@link PendingPoller} detects that.
     */
    boolean canSkipScan(long nowNs) {
        for (int shard = 0; shard < views.size(); shard++) {
            ShardView view = views.get(shard);
            if (isShardAvailable.test(shard) && (view.emptyScans() < EMPTY_SCANS_MIN
                    || view.knowledge() != Knowledge.COMPLETE || nowNs - view.scannedAtNs() >= EMPTY_SCANS_VALID_NS)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether every available shard was scanned after this time. A pop that finds a message in one shard does not wait
     * for the scans of the others, so they may be complete for the next pop. A scan of a single shard is complete when the pops
     * that wait for it continue.
     */
    boolean isScannedSince(long sinceNs) {
        for (int shard = 0; views.size() > 1 && shard < views.size(); shard++) {
            if (isShardAvailable.test(shard) && views.get(shard).scannedAtNs() - sinceNs < 0) {
                return false;
            }
        }
        return true;
    }

    /** Evicts every partition. Waiting pops stay. */
    void evictPartitions() {
        for (GroupPartition partition : partitions.values()) {
            partition.become(State.IDLE);
        }
        partitions.clear();
        views.forEach(ShardView::invalidate);
        era++;
    }

    /** Returns the number of evictions of all partitions. Answers to scans of an earlier era are ignored. */
    int era() {
        return era;
    }

    long usedAtNs() {
        return usedAtNs;
    }

    /** Returns whether the group has popped from the queue since that time. */
    boolean isPoppedSince(long ns) {
        return wasPopped && poppedAtNs - ns >= 0;
    }

    void popped(long nowNs) {
        wasPopped = true;
        poppedAtNs = nowNs;
    }

    void used(long nowNs) {
        usedAtNs = nowNs;
    }
}
