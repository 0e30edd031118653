package io.queenmq.server.cluster;

import io.queenmq.server.time.LoopClock;
import java.util.PriorityQueue;

/** A clock on which time passes when a test says so. */
final class ManualClock implements LoopClock {
    private final PriorityQueue<Due> due = new PriorityQueue<>();
    private long nowNs = 1_000_000_000;

    void pass(long ns) {
        long untilNs = nowNs + ns;
        while (!due.isEmpty() && due.peek().atNs <= untilNs) {
            Due next = due.poll();
            nowNs = Math.max(nowNs, next.atNs);
            next.task.run();
        }
        nowNs = untilNs;
    }

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
        Due wakeup = new Due(nowNs + delayMs * 1_000_000, task);
        due.add(wakeup);
        return () -> due.remove(wakeup);
    }

    private record Due(long atNs, Runnable task) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return Long.compare(atNs, other.atNs);
        }
    }
}
