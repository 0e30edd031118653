package io.queenmq.server.time;

import io.vertx.core.Vertx;
import java.util.PriorityQueue;

/**
 * Alarms of the engine loop, in the order they are due. Owned by the loop that makes it; one timer of Vert.x serves all
 * of them.
 */
public final class Timers {
    private final Thread owner = Thread.currentThread();
    private final Vertx vertx;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private long armedForNs = Long.MAX_VALUE;
    private long armedId = -1;

    public Timers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Whether the caller is the loop itself; whoever owns state on it asserts this. */
    public boolean isOnLoop() {
        return Thread.currentThread() == owner;
    }

    public long nowNs() {
        return System.nanoTime();
    }

    /** Runs the task on the loop after the delay, unless the alarm is cancelled before. */
    public Alarm after(long delayNs, Runnable task) {
        assert isOnLoop();
        Alarm alarm = new Alarm(nowNs() + Math.max(0, delayNs), task);
        alarms.add(alarm);
        arm();
        return alarm;
    }

    private void arm() {
        while (!alarms.isEmpty() && alarms.peek().task == null) {
            alarms.poll();
        }
        if (alarms.isEmpty()) {
            return;
        }
        long dueNs = alarms.peek().dueNs;
        if (armedId >= 0) {
            if (armedForNs - dueNs <= 0) {
                return;
            }
            vertx.cancelTimer(armedId);
        }
        armedForNs = dueNs;
        armedId = vertx.setTimer(Math.max(1, (dueNs - nowNs() + 999_999) / 1_000_000), _ -> ring());
    }

    private void ring() {
        armedId = -1;
        long now = nowNs();
        while (!alarms.isEmpty() && alarms.peek().dueNs - now <= 0) {
            Runnable task = alarms.poll().task;
            if (task != null) {
                task.run();
            }
        }
        arm();
    }

    /** A task that will run once, unless cancelled. */
    public static final class Alarm implements Comparable<Alarm> {
        private final long dueNs;
        private Runnable task;

        private Alarm(long dueNs, Runnable task) {
            this.dueNs = dueNs;
            this.task = task;
        }

        /** The alarm stays in the queue until it is due, but holds on to nothing. */
        public void cancel() {
            task = null;
        }

        @Override
        public int compareTo(Alarm other) {
            return Long.signum(dueNs - other.dueNs);
        }
    }
}
