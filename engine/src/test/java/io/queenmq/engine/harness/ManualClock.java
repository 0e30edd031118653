package io.queenmq.engine.harness;

import io.queenmq.engine.time.LoopClock;
import java.util.PriorityQueue;

/** A clock that a test advances. */
public final class ManualClock implements LoopClock {
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nowNs = 1_000_000_000;
    private long made;

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public long epochMs() {
        return nowNs / 1_000_000;
    }

    @Override
    public Wakeup wakeAfter(long delayMs, Runnable task) {
        Due next = new Due(nowNs + delayMs * 1_000_000, made++, task);
        due.add(next);
        return () -> due.remove(next);
    }

    /** Advances the clock, and runs all tasks that are due. */
    public void pass(long ms) {
        long untilNs = nowNs + ms * 1_000_000;
        while (!due.isEmpty() && due.peek().atNs <= untilNs) {
            Due next = due.poll();
            nowNs = next.atNs;
            next.task.run();
        }
        nowNs = untilNs;
    }

    private record Due(long atNs, long number, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(atNs, other.atNs);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
