package io.queenmq.engine.pop;

import io.queenmq.engine.batch.EngineContext;
import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.numbers.Numbers;
import io.queenmq.engine.pop.GroupPartition.State;
import io.queenmq.engine.pop.ShardView.Knowledge;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.time.Timers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The backlogs of all groups that pop here, by queue name. Bounded in partitions. Owned by the engine loop. */
final class Backlogs {
    private static final int PARTITIONS_MAX = 500_000;
    private static final long REMOVE_AFTER_NS = 600_000_000_000L;
    /** More backlogs than this are kept only while they are in use. Each costs about a kilobyte. */
    private static final int BACKLOGS_MAX = 2_000;
    /** The number of backlogs that are removed together, so that not every pop has to search for the oldest one. */
    private static final int SURPLUS_MAX = BACKLOGS_MAX / 4;

    private final Catalog catalog;
    private final Numbers numbers;
    private final Timers timers;
    private final EngineConfig config;
    private final Map<String, Map<String, Backlog>> byQueue = new HashMap<>();
    private final Map<PartitionKey, GroupPartition> partitions = new HashMap<>();
    private final Peers peers;
    private final ShardConnections connections;
    private final PopSizes sizes;
    private boolean isRemovalScheduled;
    private int countMax = BACKLOGS_MAX + SURPLUS_MAX;

    Backlogs(EngineContext context, Catalog catalog, Numbers numbers, PopSizes sizes, Peers peers) {
        this.sizes = sizes;
        this.connections = context.connections();
        this.peers = peers;
        this.catalog = catalog;
        this.numbers = numbers;
        this.timers = context.timers();
        this.config = context.config();
    }

    Backlog of(String queueName, String group) {
        Map<String, Backlog> groups = byQueue.get(queueName);
        if (groups == null) {
            groups = new HashMap<>(2);
            byQueue.put(queueName, groups);
            peers.interestsChanged();
        }
        Backlog backlog = groups.get(group);
        if (backlog == null) {
            backlog = new Backlog(queueName, group, numbers.of(queueName), Backoff.fresh(config.popWait()),
                    connections.shards().count(), connections::isShardAvailable, sizes);
            backlog.setQueue(catalog.find(queueName));
            groups.put(group, backlog);
            sizes.addBacklogs(1);
        }
        backlog.used(timers.nowNs());
        if (sizes.backlogs() > countMax && !isRemovalScheduled) {
            // Later, because the caller may be about to add a waiting pop to this and other backlogs.
            isRemovalScheduled = true;
            timers.after(0, this::removeSurplus);
        }
        return backlog;
    }

    /** Returns the backlogs of the queues that a pop requests, in the order in which to try them. */
    List<Backlog> of(PopCommand command) {
        return switch (command.source()) {
            case PopCommand.Source.Partition(var queue, _) -> List.of(of(queue, command.group()));
            case PopCommand.Source.Queue(var queue) -> List.of(of(queue, command.group()));
            case PopCommand.Source.Filter filter -> catalog.all().stream().filter(queue -> matches(filter, queue))
                    .sorted(Comparator.comparing((Queue queue) -> queue.options().priority()).reversed())
                    .map(queue -> of(queue.name(), command.group())).toList();
        };
    }

    /** Returns the names of the queues that match the filter. */
    List<String> namesLike(PopCommand.Source.Filter filter) {
        return catalog.all().stream().filter(queue -> matches(filter, queue)).map(Queue::name).toList();
    }

    @Nullable
    Queue queueOf(String name) {
        return catalog.find(name);
    }

    static boolean matches(PopCommand.Source.Filter filter, Queue queue) {
        return (filter.namespace().isEmpty() || filter.namespace().equals(queue.namespace()))
                && (filter.task().isEmpty() || filter.task().equals(queue.task()));
    }

    Collection<Backlog> ofQueue(String queueName) {
        Map<String, Backlog> groups = byQueue.get(queueName);
        return groups == null ? List.of() : groups.values();
    }

    /** Returns the names of the queues that groups wait for or have recently read. */
    Set<String> queueNames() {
        return Set.copyOf(byQueue.keySet());
    }

    List<Backlog> all() {
        List<Backlog> all = new ArrayList<>();
        byQueue.values().forEach(groups -> all.addAll(groups.values()));
        return all;
    }

    /**
     * Returns the cached partition, and adds it if it is missing. If too many partitions are cached, marks the backlog as
     * incomplete and returns null.
     */
    @Nullable
    GroupPartition partition(Backlog backlog, String name, UUID partitionId) {
        GroupPartition partition = backlog.partitions().get(partitionId);
        if (partition == null) {
            if (partitions.size() >= PARTITIONS_MAX) {
                backlog.view(connections.shardOf(partitionId)).setKnowledge(Knowledge.NONE);
                return null;
            }
            partition = new GroupPartition(backlog, name, partitionId, connections.shardOf(partitionId));
            backlog.partitions().put(partitionId, partition);
            partitions.put(new PartitionKey(partitionId, backlog.group()), partition);
            sizes.addPartitions(1);
        }
        return partition;
    }

    /** Returns the cached partition of a group; null if there is none. */
    @Nullable
    GroupPartition find(UUID partitionId, String group) {
        return partitions.get(new PartitionKey(partitionId, group));
    }

    /** Removes an idle partition for which no pop waits. A push to it is an arrival, and adds it again. */
    void dropIfIdle(GroupPartition partition) {
        if (partition.state() == State.IDLE && !partition.isAwaited()) {
            partition.backlog().partitions().remove(partition.id(), partition);
            evict(partition);
        }
    }

    void evictPartitions(Backlog backlog) {
        for (GroupPartition partition : backlog.partitions().values()) {
            evict(partition);
        }
        backlog.evictPartitions();
    }

    private void evict(GroupPartition partition) {
        if (partitions.remove(new PartitionKey(partition.id(), partition.backlog().group()), partition)) {
            sizes.addPartitions(-1);
        }
    }

    /** Removes the backlog of a queue that does not exist, unless a pop waits for the queue. */
    void dropIfAbsent(Backlog backlog) {
        if (backlog.queue() == null && isUnused(backlog)) {
            remove(backlog);
        }
    }

    /** Removes backlogs that no pop has used for a while, so that pushes need not signal arrivals to them. */
    void removeUnused() {
        long nowNs = timers.nowNs();
        for (Backlog backlog : all()) {
            if (nowNs - backlog.usedAtNs() > REMOVE_AFTER_NS && isUnused(backlog)) {
                remove(backlog);
            }
        }
        countMax = BACKLOGS_MAX + SURPLUS_MAX;
    }

    /** Removes the backlogs that were not used for the longest time, down to the limit. */
    private void removeSurplus() {
        isRemovalScheduled = false;
        List<Backlog> byUse = all();
        byUse.sort(Comparator.comparingLong(Backlog::usedAtNs));
        for (Backlog backlog : byUse) {
            if (sizes.backlogs() > BACKLOGS_MAX && isUnused(backlog)) {
                remove(backlog);
            }
        }
        // Backlogs in use cannot be removed. The next attempt is made when there are more of them.
        countMax = sizes.backlogs() + SURPLUS_MAX;
    }

    private static boolean isUnused(Backlog backlog) {
        return !backlog.hasWaiters() && !backlog.isAwaited()
                && backlog.partitions().values().stream()
                        .allMatch(partition -> !partition.isAwaited() && partition.state() != State.LEASING
                                && partition.undelivered() == null)
                && backlog.views().stream().noneMatch(ShardView::isInFlight);
    }

    private void remove(Backlog backlog) {
        Map<String, Backlog> groups = byQueue.get(backlog.queueName());
        if (groups != null && groups.remove(backlog.group(), backlog)) {
            sizes.addBacklogs(-1);
            evictPartitions(backlog);
            // Answers to calls in flight for this object must not add partitions to it.
            backlog.setQueue(null);
            if (groups.isEmpty()) {
                byQueue.remove(backlog.queueName());
            }
        }
    }

    private record PartitionKey(UUID partitionId, String group) {}
}
