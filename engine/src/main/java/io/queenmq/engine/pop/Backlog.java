package io.queenmq.engine.pop;

import io.queenmq.engine.numbers.QueueNumbers;
import io.queenmq.engine.pop.GroupPartition.Belief;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntPredicate;

/**
 * What a group has to read in a queue, as far as this server knows: the ready index. Partitions that are ready stand in one
 * line and take turns. Owned by the engine loop.
 */
final class Backlog {
    private final String queueName;
    private final String group;
    private final QueueNumbers numbers;
    private final Map<UUID, GroupPartition> partitions = new HashMap<>();
    private final ReadyLine ready;
    private final List<ShardView> views = new ArrayList<>();
    private final IntPredicate isWorthAsking;
    private final LinkedHashSet<GroupPartition> held = new LinkedHashSet<>();
    private final Map<String, Waiters> named = new HashMap<>();
    private final Waiters waiters;
    private final Backoff freshBackoff;
    private final ArrayDeque<Pop> waitingForSweep = new ArrayDeque<>(0);
    private final PopSizes sizes;
    private Queue queue;
    private int era;
    private long usedAtNs;
    private long poppedAtNs;
    private boolean wasPopped;
    private int waitingCount;

    /**
     * @param shards how many there are
     * @param isWorthAsking whether the shard of a number can be reached
     */
    Backlog(String queueName, String group, QueueNumbers numbers, Backoff backoff, int shards,
            IntPredicate isWorthAsking, PopSizes sizes) {
        this.sizes = sizes;
        this.isWorthAsking = isWorthAsking;
        this.ready = new ReadyLine(shards, isWorthAsking);
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

    /** Where to count what happens to the queue. */
    QueueNumbers numbers() {
        return numbers;
    }

    /** The queue; null while there is none of that name. */
    Queue queue() {
        return queue;
    }

    /** Takes note of the queue as it is now; true when what was believed about its partitions is worth nothing any more. */
    boolean setQueue(Queue now) {
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

    /** Whether there is a queue, and its messages may be handed out to the group. */
    boolean isOpen() {
        return queue != null && queue.isOpenFor(group);
    }

    boolean hasReady() {
        return isOpen() && ready.hasNext();
    }

    /** The shard of the partition whose turn it is, unless it is one of these; {@link ReadyLine#NONE} when nobody's is. */
    int nextShard(long passedOver) {
        return isOpen() ? ready.nextShard(passedOver) : ReadyLine.NONE;
    }

    /** The next partition of that shard, or null; it leaves the line. */
    GroupPartition pollReady(int shard) {
        GroupPartition partition = isOpen() ? ready.poll(shard) : null;
        if (partition != null) {
            sizes.addReadyPartitions(-1);
        }
        return partition;
    }

    /** The partitions of a shard that are ready, in their order. */
    List<GroupPartition> readyIn(int shard) {
        return ready.of(shard);
    }

    /** A partition goes to the end of the line, or back to its front when it only did not get its turn. */
    void addReady(GroupPartition partition, boolean isFirst) {
        if (!knows(partition)) {
            partition.believe(Belief.IDLE);
            return;
        }
        takeOut(partition);
        partition.believe(Belief.READY);
        if (isFirst) {
            ready.addFirst(partition);
        } else {
            ready.addLast(partition);
        }
        sizes.addReadyPartitions(1);
    }

    /** Removes a partition from the line of ready partitions, out of turn. */
    void takeOut(GroupPartition partition) {
        if (partition.isInLine()) {
            ready.remove(partition);
            sizes.addReadyPartitions(-1);
        }
    }

    /** A partition that somebody holds: its lease may end before its time, on a server that does not tell this one. */
    void addHeld(GroupPartition partition) {
        held.add(partition);
    }

    /** The partition is no longer believed to be held. */
    void removeHeld(GroupPartition partition) {
        held.remove(partition);
    }

    /** Whether the partition was not forgotten meanwhile, because its queue was deleted or revised. */
    boolean knows(GroupPartition partition) {
        return partitions.get(partition.id()) == partition;
    }

    /** Returns up to max of the partitions that are held, others at every call. */
    List<GroupPartition> nextHeld(int max) {
        List<GroupPartition> next = new ArrayList<>(Math.min(max, held.size()));
        for (Iterator<GroupPartition> each = held.iterator(); each.hasNext() && next.size() < max;) {
            next.add(each.next());
            each.remove();
        }
        held.addAll(next);
        return next;
    }

    /** Those who wait for any partition. */
    Waiters waiters() {
        return waiters;
    }

    /** Those who wait for this partition, whether or not it exists. */
    Waiters waitersOf(String partition) {
        return named.computeIfAbsent(partition, _ -> {
            sizes.addWaitingPartitions(1);
            return new Waiters(this, partition, freshBackoff);
        });
    }

    /** Those who wait for this partition, or waited until a moment ago; null when nobody did. */
    Waiters findWaitersOf(String partition) {
        return named.get(partition);
    }

    /** No pop waits in this line, and no look is scheduled for it. */
    void forgetWaiters(Waiters over) {
        if (over.partition() != null && named.remove(over.partition(), over)) {
            sizes.addWaitingPartitions(-1);
        }
    }

    void countWaiting(int change) {
        waitingCount += change;
        sizes.addWaitingEntries(change);
    }

    List<Waiters> namedWaiters() {
        return List.copyOf(named.values());
    }

    boolean hasWaiters() {
        return waitingCount > 0;
    }

    ArrayDeque<Pop> waitingForSweep() {
        return waitingForSweep;
    }

    /** What is known of the partitions in a shard. */
    ShardView view(int shard) {
        return views.get(shard);
    }

    /** What is known of the partitions in each shard, by number. */
    List<ShardView> views() {
        return views;
    }

    /** Whether partitions are being looked at, where an answer is to be expected. */
    boolean isBeingLookedAt() {
        for (int shard = 0; shard < views.size(); shard++) {
            if (views.get(shard).isUnderWay() && isWorthAsking.test(shard)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether all that can be reached was looked at after this moment. Who finds something in one shard does not wait for the looks
     * at the others, so the next one may meet them. With one shard a look is over when those who asked for it go on.
     */
    boolean isSeenSince(long sinceNs) {
        for (int shard = 0; views.size() > 1 && shard < views.size(); shard++) {
            if (isWorthAsking.test(shard) && views.get(shard).sweptAtNs() - sinceNs < 0) {
                return false;
            }
        }
        return true;
    }

    /** Forgets every partition; those who wait stay. */
    void forgetPartitions() {
        for (GroupPartition partition : partitions.values()) {
            partition.believe(Belief.IDLE);
        }
        partitions.clear();
        views.forEach(ShardView::forget);
        era++;
    }

    /** Another one since all partitions were forgotten: what was asked before that is not an answer any more. */
    int era() {
        return era;
    }

    long usedAtNs() {
        return usedAtNs;
    }

    /** Whether somebody popped, or was given something, since that moment. */
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
