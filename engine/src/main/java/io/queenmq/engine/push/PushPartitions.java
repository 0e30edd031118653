package io.queenmq.engine.push;

import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The partitions with recent pushes, and the rules by which turns and bundles take them. Bounded by the weight of their windows:
 * the least recently used partition is evicted first, and catches up again at its next push. Owned by the engine loop.
 */
public final class PushPartitions {
    private final Map<UUID, Map<String, PushPartition>> byQueue = new HashMap<>();
    private final LinkedHashMap<UUID, PushPartition> byUse = new LinkedHashMap<>(1024, 0.75f, true);
    private final EngineConfig config;
    private final Numbers numbers;
    private final Timers timers;
    private final DedupRule defaultRule;
    private long weight;
    private @Nullable PushPartition reservedForPushes;
    private Consumer<PushPartition> onFree = _ -> {};
    private Consumer<PushPartition> onFreeForBundles = _ -> {};

    public PushPartitions(EngineConfig config, Numbers numbers, Timers timers) {
        this.timers = timers;
        this.config = config;
        this.numbers = numbers;
        this.defaultRule = DedupRule.ofSeconds(config.dedupWindow().toSeconds(), config.dedupMessages());
    }

    /** Sets the listener that starts a turn at a partition that is free. */
    public void onFree(Consumer<PushPartition> listener) {
        onFree = listener;
    }

    /**
     * Sets the listener that is called when a partition becomes free, before single pushes can take it. Bundles must be first,
     * because they need several partitions together.
     */
    void onFreeForBundles(Consumer<PushPartition> listener) {
        onFreeForBundles = listener;
    }

    public PushPartition of(Queue queue, String name) {
        Map<String, PushPartition> partitions = byQueue.computeIfAbsent(queue.id(), _ -> new HashMap<>());
        PushPartition partition = partitions.get(name);
        if (partition == null) {
            partition = new PushPartition(queue, name, numbers.of(queue.name()), defaultRule);
            partitions.put(name, partition);
            weight += partition.weighed();
            byUse.put(partition.id(), partition);
            evictUnused();
        } else {
            byUse.get(partition.id());
            partition.follow(queue);
        }
        return partition;
    }

    /** Enqueues a message in its partition of the queue. The caller then offers the partition to pushes. */
    PushPartition enqueue(Queue queue, PendingPush pending) {
        PushPartition partition = of(queue, pending.item().partition());
        partition.numbers().pushRequested(pending.request());
        partition.add(pending);
        return partition;
    }

    /** Takes a partition for single pushes. Returns false if the partition is taken, or a bundle reserves it. */
    boolean tryTake(PushPartition partition) {
        if (partition.isTaken() || partition.access().isReserved() && partition != reservedForPushes) {
            return false;
        }
        take(partition);
        return true;
    }

    /** Takes a partition that is free. */
    void take(PushPartition partition) {
        assert !partition.isTaken();
        partition.setTaken(true);
        partition.access().taken(timers.nowNs());
    }

    /** Single pushes have used the partition: bundles are next. */
    void free(PushPartition partition) {
        release(partition);
        onFreeForBundles.accept(partition);
        offerToPushes(partition);
    }

    /**
     * A bundle has used the partition: single pushes are next, even if another bundle reserves it, so that they are not starved.
     */
    void freeFromBundle(PushPartition partition) {
        release(partition);
        reservedForPushes = partition;
        offerToPushes(partition);
        reservedForPushes = null;
        if (!partition.isTaken()) {
            onFreeForBundles.accept(partition);
        }
    }

    private static void release(PushPartition partition) {
        partition.setTaken(false);
        partition.access().freed();
    }

    /** Starts a turn of single pushes at the partition, if any wait and they may take it. */
    void offerToPushes(PushPartition partition) {
        if (!partition.isTaken()) {
            onFree.accept(partition);
        }
    }

    public void remove(PushPartition partition) {
        Map<String, PushPartition> partitions = byQueue.get(partition.queue().id());
        if (partitions != null && partitions.remove(partition.name(), partition)) {
            if (partitions.isEmpty()) {
                byQueue.remove(partition.queue().id());
            }
            byUse.remove(partition.id());
            weight -= partition.weighed();
        }
    }

    /** An operator changed the messages of a queue: drops its windows, whose messages may have been removed. */
    void dropWindows(Queue queue) {
        for (PushPartition partition : byQueue.getOrDefault(queue.id(), Map.of()).values()) {
            if (partition.queue().revision() != queue.revision()) {
                partition.dropWindow();
            }
        }
    }

    /** Drops the loaded state of all partitions, because the database has another history. */
    void reset() {
        for (PushPartition partition : List.copyOf(byUse.values())) {
            partition.reset();
            weight += partition.weigh();
            if (!partition.isTaken() && !partition.access().hasBundles() && !partition.hasWaiting()) {
                remove(partition);
            }
        }
    }

    /**
     * Drops from a window the hashes that cannot make a message a duplicate any more, and updates the weight of all windows.
     *
     * @param nowMicros a message that is stored later is not accepted before this time of PostgreSQL's clock
     */
    void trim(PushPartition partition, long nowMicros) {
        DedupRule rule = partition.rule();
        partition.window().trim(rule.isOff() ? 0 : rule.messagesMax(), nowMicros - rule.windowMicros());
        weight += partition.weigh();
        evictUnused();
    }

    public int count() {
        return byUse.size();
    }

    public long weight() {
        return weight;
    }

    private void evictUnused() {
        Iterator<PushPartition> leastUsed = byUse.values().iterator();
        while (weight > config.dedupMemoryMessages() && leastUsed.hasNext()) {
            PushPartition partition = leastUsed.next();
            if (!partition.isTaken() && !partition.access().hasBundles() && !partition.hasWaiting()) {
                leastUsed.remove();
                Map<String, PushPartition> partitions = byQueue.get(partition.queue().id());
                if (partitions != null) {
                    partitions.remove(partition.name());
                    if (partitions.isEmpty()) {
                        byQueue.remove(partition.queue().id());
                    }
                }
                weight -= partition.weighed();
            }
        }
    }
}
