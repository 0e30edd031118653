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

/** The backlogs of all groups that pop here, by queue name. Bounded in partitions. Owned by the engine loop. */
final class Backlogs {
    private static final int PARTITIONS_MAX = 500_000;
    private static final long FORGET_AFTER_NS = 600_000_000_000L;
    /** More backlogs than this are kept only while they are in use. Each costs about a kilobyte. */
    private static final int BACKLOGS_MAX = 2_000;
    /** So many are forgotten at once, so that the oldest need not be searched for at every pop. */
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
    private boolean isForgettingDue;
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
                    connections.shards().count(), connections::isWorthAsking, sizes);
            backlog.setQueue(catalog.find(queueName));
            groups.put(group, backlog);
            sizes.addBacklogs(1);
        }
        backlog.used(timers.nowNs());
        if (sizes.backlogs() > countMax && !isForgettingDue) {
            // Not now: the caller may be about to let a pop wait in this and other backlogs.
            isForgettingDue = true;
            timers.after(0, this::forgetSurplus);
        }
        return backlog;
    }

    /** Where the messages a pop asks for may be, in the order in which to look. */
    List<Backlog> of(PopCommand command) {
        return switch (command.source()) {
            case PopCommand.Source.Partition(var queue, _) -> List.of(of(queue, command.group()));
            case PopCommand.Source.Queue(var queue) -> List.of(of(queue, command.group()));
            case PopCommand.Source.Filter filter -> catalog.all().stream().filter(queue -> matches(filter, queue))
                    .sorted(Comparator.comparing((Queue queue) -> queue.options().priority()).reversed())
                    .map(queue -> of(queue.name(), command.group())).toList();
        };
    }

    /** The names of queues that are like what was asked for. */
    List<String> namesLike(PopCommand.Source.Filter filter) {
        return catalog.all().stream().filter(queue -> matches(filter, queue)).map(Queue::name).toList();
    }

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

    /** The names of queues that somebody waits for or has lately read. */
    Set<String> queueNames() {
        return Set.copyOf(byQueue.keySet());
    }

    List<Backlog> all() {
        List<Backlog> all = new ArrayList<>();
        byQueue.values().forEach(groups -> all.addAll(groups.values()));
        return all;
    }

    /** The partition; null when too many are known already, in which case the backlog is marked as incomplete. */
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

    /** The partition as the group knows it, or null. */
    GroupPartition find(UUID partitionId, String group) {
        return partitions.get(new PartitionKey(partitionId, group));
    }

    /** An idle partition nobody waits for need not be remembered: a push to it will ring. */
    void dropIfIdle(GroupPartition partition) {
        if (partition.state() == State.IDLE && !partition.isAwaited()) {
            partition.backlog().partitions().remove(partition.id(), partition);
            forget(partition);
        }
    }

    void forgetPartitions(Backlog backlog) {
        for (GroupPartition partition : backlog.partitions().values()) {
            forget(partition);
        }
        backlog.forgetPartitions();
    }

    private void forget(GroupPartition partition) {
        if (partitions.remove(new PartitionKey(partition.id(), partition.backlog().group()), partition)) {
            sizes.addPartitions(-1);
        }
    }

    /** Removes the backlog of a queue that does not exist, unless a pop waits for the queue: there is nothing to know of it. */
    void dropIfAbsent(Backlog backlog) {
        if (backlog.queue() == null && isUnused(backlog)) {
            remove(backlog);
        }
    }

    /** Forgets backlogs that no pop has used for a while, so that pushes need not ring for them. */
    void forgetUnused() {
        long nowNs = timers.nowNs();
        for (Backlog backlog : all()) {
            if (nowNs - backlog.usedAtNs() > FORGET_AFTER_NS && isUnused(backlog)) {
                remove(backlog);
            }
        }
        countMax = BACKLOGS_MAX + SURPLUS_MAX;
    }

    /** Forgets the backlogs that were not used for the longest time, up to the bound. */
    private void forgetSurplus() {
        isForgettingDue = false;
        List<Backlog> byUse = all();
        byUse.sort(Comparator.comparingLong(Backlog::usedAtNs));
        for (Backlog backlog : byUse) {
            if (sizes.backlogs() > BACKLOGS_MAX && isUnused(backlog)) {
                remove(backlog);
            }
        }
        // Backlogs in use cannot be forgotten: wait until there are more of them before trying again.
        countMax = sizes.backlogs() + SURPLUS_MAX;
    }

    private static boolean isUnused(Backlog backlog) {
        return !backlog.hasWaiters() && !backlog.isAwaited()
                && backlog.partitions().values().stream()
                        .allMatch(partition -> !partition.isAwaited() && partition.state() != State.LEASING
                                && partition.undelivered() == null)
                && backlog.views().stream().noneMatch(ShardView::isUnderWay);
    }

    private void remove(Backlog backlog) {
        Map<String, Backlog> groups = byQueue.get(backlog.queueName());
        if (groups != null && groups.remove(backlog.group(), backlog)) {
            sizes.addBacklogs(-1);
            forgetPartitions(backlog);
            // Answers that are on their way for this object must not add partitions to it.
            backlog.setQueue(null);
            if (groups.isEmpty()) {
                byQueue.remove(backlog.queueName());
            }
        }
    }

    private record PartitionKey(UUID partitionId, String group) {}
}
