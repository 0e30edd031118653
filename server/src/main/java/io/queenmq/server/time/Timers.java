package io.queenmq.server.time;

import java.util.PriorityQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Alarms of the engine loop, in the order they are due. Owned by the loop that makes it; one wake-up of its clock
 * serves all of them.
 */
public final class Timers {
    private static final Logger log = LoggerFactory.getLogger(Timers.class);

    private final Thread owner = Thread.currentThread();
    private final LoopClock clock;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private long armedForNs = Long.MAX_VALUE;
    private LoopClock.Wakeup armed;

    public Timers(LoopClock clock) {
        this.clock = clock;
    }

    /** Whether the caller is the loop itself; whoever owns state on it asserts this. */
    public boolean isOnLoop() {
        return Thread.currentThread() == owner;
    }

    public long nowNs() {
        return clock.nowNs();
    }

    /** The time of day in microseconds since 1970, for what is compared with times of the database. */
    public long epochMicros() {
        return clock.epochMs() * 1000;
    }

    /** Runs the task on the loop after the delay, unless the alarm is cancelled before. */
    public Alarm after(long delayNs, Runnable task) {
        assert isOnLoop();
        Alarm alarm = new Alarm(nowNs() + Math.max(0, delayNs), task);
        alarms.add(alarm);
        arm();
        return alarm;
    }

    /** Runs the task on the loop again and again; one that fails is reported, and run again when it is due. */
    public void every(long periodNs, Runnable task) {
        after(periodNs, () -> {
            try {
                task.run();
            } catch (Throwable defect) {
                log.error("a task that is done again and again has failed this time", defect);
            } finally {
                every(periodNs, task);
            }
        });
    }

    private void arm() {
        while (!alarms.isEmpty() && alarms.peek().task == null) {
            alarms.poll();
        }
        if (alarms.isEmpty()) {
            return;
        }
        long dueNs = alarms.peek().dueNs;
        if (armed != null) {
            if (armedForNs - dueNs <= 0) {
                return;
            }
            armed.cancel();
        }
        armedForNs = dueNs;
        armed = clock.wakeAfter(Math.max(1, (dueNs - nowNs() + 999_999) / 1_000_000), this::ring);
    }

    private void ring() {
        armed = null;
        long now = nowNs();
        while (!alarms.isEmpty() && alarms.peek().dueNs - now <= 0) {
            Runnable task = alarms.poll().task;
            if (task != null) {
                try {
                    task.run();
                } catch (Throwable bug) {
                    // The other alarms are somebody else's.
                    log.error("a task of the engine failed", bug);
                }
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
