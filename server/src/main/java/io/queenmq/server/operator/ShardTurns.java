package io.queenmq.server.operator;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs rounds of work through all shards, a few shards at a time. A shard that does not respond delays no other shard: its work
 * is not started again while it is under way, and shards that failed or did not finish run last, one at a time. Safe from any
 * thread.
 */
final class ShardTurns {
    /** Leaves connections to operators. */
    private static final int CONCURRENT_MAX = 2;

    private final List<String> shards;
    private final Set<String> underWay = new HashSet<>();
    private final Set<String> troubled = new HashSet<>();
    private @Nullable Round current;

    /** @param shards their schemas */
    ShardTurns(List<String> shards) {
        this.shards = shards;
    }

    /**
     * Begins a round. A round that has not ended starts no further turns.
     *
     * @param work begins the work in a shard, and ends the turn when it is done
     * @param whenAll runs when every turn of this round has ended
     */
    void forEach(Consumer<Turn> work, Runnable whenAll) {
        Round round = new Round(work, whenAll);
        synchronized (this) {
            troubled.addAll(underWay);
            current = round;
            shards.stream().sorted(Comparator.comparing(troubled::contains)).forEach(round.left::add);
        }
        round.startTurns();
    }

    /** The turn of one shard in a round. */
    static final class Turn {
        private final Round round;
        private final String shard;

        private Turn(Round round, String shard) {
            this.round = round;
            this.shard = shard;
        }

        String shard() {
            return shard;
        }

        /** Must be called once. */
        void end(boolean isWell) {
            round.end(shard, isWell);
        }
    }

    private final class Round {
        private final Consumer<Turn> work;
        private final Runnable whenAll;
        private final Deque<String> left = new ArrayDeque<>();
        private int running;
        private boolean isOver;

        Round(Consumer<Turn> work, Runnable whenAll) {
            this.work = work;
            this.whenAll = whenAll;
        }

        void startTurns() {
            for (String shard = next(); shard != null; shard = next()) {
                work.accept(new Turn(this, shard));
            }
            if (hasJustEnded()) {
                whenAll.run();
            }
        }

        /** Returns the shard whose turn begins now, or null when none may begin. */
        private @Nullable String next() {
            synchronized (ShardTurns.this) {
                if (current != this) {
                    left.clear();
                }
                while (running < CONCURRENT_MAX && !left.isEmpty()) {
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
            startTurns();
        }

        private boolean hasJustEnded() {
            synchronized (ShardTurns.this) {
                boolean isFirst = !isOver && running == 0 && left.isEmpty();
                isOver |= isFirst;
                return isFirst;
            }
        }
    }
}
