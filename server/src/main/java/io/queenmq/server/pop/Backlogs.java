package io.queenmq.server.pop;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.config.EngineConfig;
import io.queenmq.server.numbers.Numbers;
import io.queenmq.server.pop.GroupLane.Belief;
import io.queenmq.server.pop.ShardView.Knowledge;
import io.queenmq.server.postgres.ShardLinks;
import io.queenmq.server.time.Timers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The backlogs of all groups that pop here, by queue name. Bounded in lanes. Owned by the engine loop. */
final class Backlogs {
    private static final int LANES_MAX = 500_000;
    private static final long FORGET_AFTER_NS = 600_000_000_000L;

    private final Catalog catalog;
    private final Numbers numbers;
    private final Timers timers;
    private final EngineConfig config;
    private final Map<String, Map<String, Backlog>> byQueue = new HashMap<>();
    private final Map<LaneKey, GroupLane> lanes = new HashMap<>();
    private final Runnable onQueues;
    private final ShardLinks links;

    /** @param onQueues called when one more queue is read here */
    Backlogs(Catalog catalog, Numbers numbers, ShardLinks links, Timers timers, EngineConfig config,
            Runnable onQueues) {
        this.links = links;
        this.onQueues = onQueues;
        this.catalog = catalog;
        this.numbers = numbers;
        this.timers = timers;
        this.config = config;
    }

    Backlog of(String queueName, String group) {
        Map<String, Backlog> groups = byQueue.get(queueName);
        if (groups == null) {
            groups = new HashMap<>(2);
            byQueue.put(queueName, groups);
            onQueues.run();
        }
        Backlog backlog = groups.computeIfAbsent(group, _ -> {
            Backlog fresh = new Backlog(queueName, group, numbers.of(queueName), Backoff.fresh(config.popWait()),
                    links.shards().count(), links::isWorthAsking);
            fresh.setQueue(catalog.find(queueName));
            return fresh;
        });
        backlog.used(timers.nowNs());
        return backlog;
    }

    /** Where the messages a pop asks for may be, in the order in which to look. */
    List<Backlog> of(PopCommand command) {
        return switch (command.source()) {
            case PopCommand.Source.Lane(var queue, _) -> List.of(of(queue, command.group()));
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

    /** The lane; null when too many are known already, in which case the backlog is marked as incomplete. */
    GroupLane lane(Backlog backlog, String name, UUID partitionId) {
        GroupLane lane = backlog.lanes().get(partitionId);
        if (lane == null) {
            if (lanes.size() >= LANES_MAX) {
                backlog.view(links.shardOf(partitionId)).setKnowledge(Knowledge.NONE);
                return null;
            }
            lane = new GroupLane(backlog, name, partitionId, links.shardOf(partitionId));
            backlog.lanes().put(partitionId, lane);
            lanes.put(new LaneKey(partitionId, backlog.group()), lane);
        }
        return lane;
    }

    /** The lane as the group knows it, or null. */
    GroupLane find(UUID partitionId, String group) {
        return lanes.get(new LaneKey(partitionId, group));
    }

    /** An idle lane nobody waits for need not be remembered: a push to it will ring. */
    void dropIfIdle(GroupLane lane) {
        if (lane.belief() == Belief.IDLE && lane.waiting().isEmpty()) {
            lane.backlog().lanes().remove(lane.id(), lane);
            lanes.remove(new LaneKey(lane.id(), lane.backlog().group()), lane);
        }
    }

    void forgetLanes(Backlog backlog) {
        for (GroupLane lane : backlog.lanes().values()) {
            lanes.remove(new LaneKey(lane.id(), backlog.group()), lane);
        }
        backlog.forgetLanes();
    }

    /** Forgets backlogs nobody has asked for in a while, so that pushes need not ring for them. */
    void forgetUnused() {
        long nowNs = timers.nowNs();
        for (Iterator<Map<String, Backlog>> queues = byQueue.values().iterator(); queues.hasNext();) {
            Map<String, Backlog> groups = queues.next();
            groups.values().removeIf(backlog -> {
                boolean isUnused = nowNs - backlog.usedAtNs() > FORGET_AFTER_NS && !backlog.hasWaiters()
                        && backlog.lanes().values().stream().allMatch(lane -> lane.waiting().isEmpty()
                                && lane.belief() != Belief.LEASING)
                        && backlog.views().stream().noneMatch(view -> view.knowledge() == Knowledge.SWEEPING);
                if (isUnused) {
                    forgetLanes(backlog);
                }
                return isUnused;
            });
            if (groups.isEmpty()) {
                queues.remove();
            }
        }
    }

    int readyCount() {
        int count = 0;
        for (Map<String, Backlog> groups : byQueue.values()) {
            for (Backlog backlog : groups.values()) {
                count += backlog.readyCount();
            }
        }
        return count;
    }

    private record LaneKey(UUID partitionId, String group) {}
}
