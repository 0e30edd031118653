package io.queenmq.engine.pop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The partitions that are ready, in one line. What one pop is given is in one shard, so the partitions of a shard can be taken without
 * those of others, which keep their turns; and partitions of a shard that cannot be reached stand aside. Owned by the engine loop.
 */
final class ReadyQueue {
    /** Stands for no shard. */
    static final int NONE = -1;

    private final Line[] byShard;
    private final IntPredicate isWorthAsking;
    private long firstTurn;
    private long lastTurn;

    /** @param isWorthAsking whether the shard of a number can be reached */
    ReadyQueue(int shards, IntPredicate isWorthAsking) {
        this.isWorthAsking = isWorthAsking;
        byShard = new Line[shards];
        for (int i = 0; i < shards; i++) {
            byShard[i] = new Line();
        }
    }

    /** Whether anybody's turn may come now. */
    boolean hasNext() {
        for (int shard = 0; shard < byShard.length; shard++) {
            if (byShard[shard].first != null && isWorthAsking.test(shard)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The shard of the partition whose turn it is, or {@link #NONE}.
     *
     * @param passedOver whose partitions do not count, one bit for each shard
     */
    int nextShard(long passedOver) {
        int next = NONE;
        long nextTurn = Long.MAX_VALUE;
        for (int shard = 0; shard < byShard.length; shard++) {
            GroupPartition first = (passedOver >> shard & 1) != 0 || !isWorthAsking.test(shard)
                    ? null
                    : byShard[shard].first;
            if (first != null && first.turn() < nextTurn) {
                next = shard;
                nextTurn = first.turn();
            }
        }
        return next;
    }

    /** Returns the next partition of a shard; null if there is none. The next ones are linked to it. */
    GroupPartition first(int shard) {
        return byShard[shard].first;
    }

    /** Removes the next partition of a shard; null if there is none. */
    GroupPartition poll(int shard) {
        GroupPartition first = byShard[shard].first;
        if (first != null) {
            remove(first);
        }
        return first;
    }

    void addFirst(GroupPartition partition) {
        partition.setTurn(--firstTurn);
        byShard[partition.shard()].insert(null, partition, byShard[partition.shard()].first);
    }

    void addLast(GroupPartition partition) {
        partition.setTurn(lastTurn++);
        byShard[partition.shard()].insert(byShard[partition.shard()].last, partition, null);
    }

    /** Removes a partition in constant time. It must be in the line. */
    void remove(GroupPartition partition) {
        byShard[partition.shard()].unlink(partition);
    }

    /** The partitions of a shard, in their order. */
    List<GroupPartition> of(int shard) {
        List<GroupPartition> partitions = new ArrayList<>(byShard[shard].size);
        for (GroupPartition each = byShard[shard].first; each != null; each = each.nextReady) {
            partitions.add(each);
        }
        return partitions;
    }

    int size() {
        int size = 0;
        for (Line line : byShard) {
            size += line.size;
        }
        return size;
    }

    /** The partitions of one shard, a doubly linked list: a partition that a pop names leaves it without a search. */
    private static final class Line {
        private GroupPartition first;
        private GroupPartition last;
        private int size;

        private void insert(GroupPartition previous, GroupPartition partition, GroupPartition next) {
            assert !partition.isQueued();
            partition.setQueued(true);
            partition.previousReady = previous;
            partition.nextReady = next;
            connect(previous, partition);
            connect(partition, next);
            size++;
        }

        private void unlink(GroupPartition partition) {
            assert partition.isQueued();
            partition.setQueued(false);
            connect(partition.previousReady, partition.nextReady);
            partition.previousReady = null;
            partition.nextReady = null;
            size--;
        }

        /** Null stands for the end of the list on either side. */
        private void connect(GroupPartition previous, GroupPartition next) {
            if (previous == null) {
                first = next;
            } else {
                previous.nextReady = next;
            }
            if (next == null) {
                last = previous;
            } else {
                next.previousReady = previous;
            }
        }
    }
}
