package io.queenmq.engine.cluster;

import io.queenmq.engine.cluster.Hint.Arrival;
import io.queenmq.engine.cluster.Hint.FreePartition;
import io.queenmq.engine.cluster.Hint.Introduction;
import io.queenmq.engine.cluster.Hint.PartitionHead;
import io.queenmq.engine.cluster.Hint.PushedQueue;
import io.queenmq.engine.cluster.Hint.Ring;
import io.queenmq.engine.queue.Queue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What happened in partitions during one turn of the engine loop, and what of it a server has to hear. Bounded: of queues with
 * too many partitions only their names are told. Owned by the engine loop.
 */
final class Turn {
    /** In characters, so that one hint is well below what the transport takes, whatever partitions are called. */
    private static final int ROOM = 32_000;
    private static final int ROOM_PER_PARTITION = 24;

    private final Map<String, News> byQueue = new LinkedHashMap<>();
    private int room = ROOM;

    void pushed(Queue queue, String partition, long head) {
        News news = newsOf(queue.name());
        if (!queue.id().equals(news.queueId)) {
            news.heads.clear();
            news.queueId = queue.id();
        }
        if (news.heads.containsKey(partition) || takeRoom(news, partition)) {
            news.heads.merge(partition, head, Math::max);
        }
    }

    void freed(String queue, UUID partitionId, String group) {
        News news = newsOf(queue);
        FreePartition partition = new FreePartition(partitionId, group);
        if (!news.freed.contains(partition) && takeRoom(news, group)) {
            news.freed.add(partition);
        }
    }

    private News newsOf(String queue) {
        return byQueue.computeIfAbsent(queue, _ -> new News());
    }

    private boolean takeRoom(News news, String name) {
        int needed = name.length() + ROOM_PER_PARTITION;
        news.isTooMuch |= needed > room;
        if (!news.isTooMuch) {
            room -= needed;
        }
        return !news.isTooMuch;
    }

    boolean isEmpty() {
        return byQueue.isEmpty();
    }

    void clear() {
        byQueue.clear();
        room = ROOM;
    }

    /** What a server has to hear that introduced itself like this. */
    List<Hint> hintsFor(Introduction reader) {
        List<Hint> hints = new ArrayList<>(1);
        List<PushedQueue> pushed = new ArrayList<>(1);
        List<FreePartition> freed = new ArrayList<>(0);
        byQueue.forEach((queue, news) -> {
            if (reader.isInterestedIn(queue)) {
                if (news.isTooMuch) {
                    hints.add(new Ring(queue, null));
                } else {
                    if (!news.heads.isEmpty()) {
                        pushed.add(news.pushed(queue));
                    }
                    freed.addAll(news.freed);
                }
            }
        });
        if (!pushed.isEmpty() || !freed.isEmpty()) {
            hints.add(new Arrival(pushed, freed));
        }
        return hints;
    }

    /** What happened in the partitions of one queue. */
    private static final class News {
        private final Map<String, Long> heads = new LinkedHashMap<>();
        private final Set<FreePartition> freed = new LinkedHashSet<>();
        private UUID queueId;
        private boolean isTooMuch;

        PushedQueue pushed(String queue) {
            return new PushedQueue(queue, queueId,
                    heads.entrySet().stream().map(each -> new PartitionHead(each.getKey(), each.getValue())).toList());
        }
    }
}
