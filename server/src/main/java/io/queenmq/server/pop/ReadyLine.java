package io.queenmq.server.pop;

import io.queenmq.server.pop.GroupLane.Belief;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The lanes that are ready, in one line. What one pop is given is in one shard, so the lanes of a shard can be taken without
 * those of others, which keep their turns; and lanes of a shard that cannot be reached stand aside. Owned by the engine loop.
 */
final class ReadyLine {
    /** Stands for no shard. */
    static final int NONE = -1;

    private final List<ArrayDeque<GroupLane>> byShard = new ArrayList<>();
    private final IntPredicate isWorthAsking;
    private long firstTurn;
    private long lastTurn;

    /** @param isWorthAsking whether the shard of a number can be reached */
    ReadyLine(int shards, IntPredicate isWorthAsking) {
        this.isWorthAsking = isWorthAsking;
        for (int i = 0; i < shards; i++) {
            byShard.add(new ArrayDeque<>());
        }
    }

    /** Whether anybody's turn may come now. */
    boolean hasNext() {
        for (int shard = 0; shard < byShard.size(); shard++) {
            if (!byShard.get(shard).isEmpty() && isWorthAsking.test(shard)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The shard of the lane whose turn it is, or {@link #NONE}.
     *
     * @param passedOver whose lanes do not count, one bit for each shard
     */
    int nextShard(long passedOver) {
        int next = NONE;
        long nextTurn = Long.MAX_VALUE;
        for (int shard = 0; shard < byShard.size(); shard++) {
            GroupLane first = (passedOver >> shard & 1) != 0 || !isWorthAsking.test(shard) ? null : firstOf(shard);
            if (first != null && first.turn() < nextTurn) {
                next = shard;
                nextTurn = first.turn();
            }
        }
        return next;
    }

    /** Those of whom something else is believed meanwhile leave the line. */
    private GroupLane firstOf(int shard) {
        ArrayDeque<GroupLane> line = byShard.get(shard);
        while (!line.isEmpty() && line.peek().belief() != Belief.READY) {
            line.poll();
        }
        return line.peek();
    }

    /** The next lane of that shard, or null; it leaves the line. */
    GroupLane poll(int shard) {
        GroupLane first = firstOf(shard);
        if (first != null) {
            byShard.get(shard).poll();
        }
        return first;
    }

    void addFirst(GroupLane lane) {
        lane.setTurn(--firstTurn);
        byShard.get(lane.shard()).addFirst(lane);
    }

    void addLast(GroupLane lane) {
        lane.setTurn(lastTurn++);
        byShard.get(lane.shard()).addLast(lane);
    }

    void remove(GroupLane lane) {
        byShard.get(lane.shard()).remove(lane);
    }

    /** The lanes of a shard, in their order. */
    List<GroupLane> of(int shard) {
        return List.copyOf(byShard.get(shard));
    }

    int size() {
        int size = 0;
        for (ArrayDeque<GroupLane> line : byShard) {
            size += line.size();
        }
        return size;
    }

    void clear() {
        byShard.forEach(ArrayDeque::clear);
    }
}
