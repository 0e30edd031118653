package io.queenmq.engine.pop;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of ready partitions. A pop leases partitions of one shard, so the partitions of a shard can be polled separately, and
 * partitions of other shards keep their positions. Partitions of unreachable shards are skipped. Owned by the engine loop.
 */
final class ReadyQueue {
    /** The number for no shard. */
    static final int NONE = -1;

    private final ShardQueue[] byShard;
    private final IntPredicate isShardAvailable;
    private long firstTurn;
    private long lastTurn;

    /** @param isShardAvailable returns true if the shard with that number can be reached */
    ReadyQueue(int shards, IntPredicate isShardAvailable) {
        this.isShardAvailable = isShardAvailable;
        byShard = new ShardQueue[shards];
        for (int i = 0; i < shards; i++) {
            byShard[i] = new ShardQueue();
        }
    }

    /** Returns true if a partition of a reachable shard is ready. */
    boolean hasNext() {
        for (int shard = 0; shard < byShard.length; shard++) {
            if (byShard[shard].first != null && isShardAvailable.test(shard)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the shard of the next partition; {@link #NONE} if there is none.
     *
     * @param passedOver the shards to skip, one bit for each
     */
    int nextShard(long passedOver) {
        int next = NONE;
        long nextTurn = Long.MAX_VALUE;
        for (int shard = 0; shard < byShard.length; shard++) {
            GroupPartition first = (passedOver >> shard & 1) != 0 || !isShardAvailable.test(shard)
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
    @Nullable
    GroupPartition first(int shard) {
        return byShard[shard].first;
    }

    /** Removes the next partition of a shard; null if there is none. */
    @Nullable
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

    /** Removes a partition in constant time. It must be in the queue. */
    void remove(GroupPartition partition) {
        byShard[partition.shard()].unlink(partition);
    }

    /** Returns the partitions of a shard, in their order. */
    List<GroupPartition> of(int shard) {
        List<GroupPartition> partitions = new ArrayList<>(byShard[shard].size);
        for (GroupPartition each = byShard[shard].first; each != null; each = each.nextReady) {
            partitions.add(each);
        }
        return partitions;
    }

    int size() {
        int size = 0;
        for (ShardQueue queue : byShard) {
            size += queue.size;
        }
        return size;
    }

    /** The partitions of one shard, as a doubly linked list, so that a partition that a pop names is removed without a search. */
    private static final class ShardQueue {
        private @Nullable GroupPartition first;
        private @Nullable GroupPartition last;
        private int size;

        private void insert(@Nullable GroupPartition previous, GroupPartition partition,
                @Nullable GroupPartition next) {
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

        /** Links two adjacent entries of the list. Null is the end of the list on either side. */
        private void connect(@Nullable GroupPartition previous, @Nullable GroupPartition next) {
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
