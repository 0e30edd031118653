package io.queenmq.server.operator;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Has something done for every shard, again and again, a few at a time. A shard that does not answer keeps no other from its
 * turn: where something is still under way it is not begun once more, and shards that were in trouble go last, one at a
 * time. Safe from any thread.
 */
final class ShardTurns {
    /** So that operators find a connection meanwhile. */
    private static final int AT_ONCE = 2;

    private final List<String> shards;
    private final Set<String> underWay = new HashSet<>();
    private final Set<String> troubled = new HashSet<>();
    private Round current;

    /** @param shards their schemas */
    ShardTurns(List<String> shards) {
        this.shards = shards;
    }

    /**
     * Begins a round; one that is not over yet goes no further.
     *
     * @param work begins what is to be done for a shard, and ends its turn
     * @param whenAll runs when every turn of this round has ended
     */
    void forEach(BiConsumer<String, Turn> work, Runnable whenAll) {
        Round round = new Round(work, whenAll);
        synchronized (this) {
            troubled.addAll(underWay);
            current = round;
            shards.stream().sorted(Comparator.comparing(troubled::contains)).forEach(round.left::add);
        }
        round.goOn();
    }

    /** One shard's turn. */
    interface Turn {
        /** Called once. */
        void end(boolean isWell);
    }

    private final class Round {
        private final BiConsumer<String, Turn> work;
        private final Runnable whenAll;
        private final Deque<String> left = new ArrayDeque<>();
        private int running;
        private boolean isOver;

        Round(BiConsumer<String, Turn> work, Runnable whenAll) {
            this.work = work;
            this.whenAll = whenAll;
        }

        void goOn() {
            for (String shard = next(); shard != null; shard = next()) {
                String begun = shard;
                work.accept(begun, isWell -> end(begun, isWell));
            }
            if (isOverNow()) {
                whenAll.run();
            }
        }

        private String next() {
            synchronized (ShardTurns.this) {
                if (current != this) {
                    left.clear();
                }
                while (running < AT_ONCE && !left.isEmpty()) {
                    String shard = left.remove();
                    if (mayBegin(shard)) {
                        running++;
                        underWay.add(shard);
                        return shard;
                    }
                }
                return null;
            }
        }

        private boolean mayBegin(String shard) {
            return !underWay.contains(shard)
                    && (!troubled.contains(shard) || underWay.stream().noneMatch(troubled::contains));
        }

        private void end(String shard, boolean isWell) {
            synchronized (ShardTurns.this) {
                running--;
                underWay.remove(shard);
                if (isWell) {
                    troubled.remove(shard);
                } else {
                    troubled.add(shard);
                }
            }
            goOn();
        }

        private boolean isOverNow() {
            synchronized (ShardTurns.this) {
                boolean isFirst = !isOver && running == 0 && left.isEmpty();
                isOver |= isFirst;
                return isFirst;
            }
        }
    }
}
