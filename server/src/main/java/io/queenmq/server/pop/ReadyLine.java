package io.queenmq.server.pop;

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

    private final Line[] byShard;
    private final IntPredicate isWorthAsking;
    private long firstTurn;
    private long lastTurn;

    /** @param isWorthAsking whether the shard of a number can be reached */
    ReadyLine(int shards, IntPredicate isWorthAsking) {
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
     * The shard of the lane whose turn it is, or {@link #NONE}.
     *
     * @param passedOver whose lanes do not count, one bit for each shard
     */
    int nextShard(long passedOver) {
        int next = NONE;
        long nextTurn = Long.MAX_VALUE;
        for (int shard = 0; shard < byShard.length; shard++) {
            GroupLane first = (passedOver >> shard & 1) != 0 || !isWorthAsking.test(shard)
                    ? null
                    : byShard[shard].first;
            if (first != null && first.turn() < nextTurn) {
                next = shard;
                nextTurn = first.turn();
            }
        }
        return next;
    }

    /** The next lane of that shard, or null; it leaves the line. */
    GroupLane poll(int shard) {
        GroupLane first = byShard[shard].first;
        if (first != null) {
            remove(first);
        }
        return first;
    }

    void addFirst(GroupLane lane) {
        lane.setTurn(--firstTurn);
        byShard[lane.shard()].link(null, lane, byShard[lane.shard()].first);
    }

    void addLast(GroupLane lane) {
        lane.setTurn(lastTurn++);
        byShard[lane.shard()].link(byShard[lane.shard()].last, lane, null);
    }

    /** Removes a lane in constant time. It must be in the line. */
    void remove(GroupLane lane) {
        byShard[lane.shard()].unlink(lane);
    }

    /** The lanes of a shard, in their order. */
    List<GroupLane> of(int shard) {
        List<GroupLane> lanes = new ArrayList<>(byShard[shard].size);
        for (GroupLane each = byShard[shard].first; each != null; each = each.nextReady) {
            lanes.add(each);
        }
        return lanes;
    }

    int size() {
        int size = 0;
        for (Line line : byShard) {
            size += line.size;
        }
        return size;
    }

    /** The lanes of one shard, a doubly linked list: a lane that a pop names leaves it without a search. */
    private static final class Line {
        private GroupLane first;
        private GroupLane last;
        private int size;

        private void link(GroupLane previous, GroupLane lane, GroupLane next) {
            assert !lane.isInLine();
            lane.setInLine(true);
            lane.previousReady = previous;
            lane.nextReady = next;
            connect(previous, lane);
            connect(lane, next);
            size++;
        }

        private void unlink(GroupLane lane) {
            assert lane.isInLine();
            lane.setInLine(false);
            connect(lane.previousReady, lane.nextReady);
            lane.previousReady = null;
            lane.nextReady = null;
            size--;
        }

        /** Null stands for the end of the list on either side. */
        private void connect(GroupLane previous, GroupLane next) {
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
