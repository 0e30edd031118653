package io.queenmq.engine.time;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The alarms of the engine loop, in the order of their due times. One wake-up of the clock is scheduled for all alarms. Owned by
 * the loop that creates it.
 */
public final class Timers {
    private static final Logger log = LoggerFactory.getLogger(Timers.class);

    private final Thread owner = Thread.currentThread();
    private final LoopClock clock;
    private final AlarmHeap alarms = new AlarmHeap();
    private long armedForNs = Long.MAX_VALUE;
    private LoopClock.@Nullable Wakeup armed;

    public Timers(LoopClock clock) {
        this.clock = clock;
    }

    /** Returns true if the current thread is the loop. Owners of state on the loop assert this. */
    public boolean isOnLoop() {
        return Thread.currentThread() == owner;
    }

    public long nowNs() {
        return clock.nowNs();
    }

    /** Returns the time of day in microseconds since 1970, for comparisons with times of the database. */
    public long epochMicros() {
        return clock.epochMs() * 1000;
    }

    /** Runs the task on the loop after the delay, unless the alarm is canceled before. */
    public Alarm after(long delayNs, Runnable task) {
        assert isOnLoop();
        Alarm alarm = new Alarm(alarms, nowNs() + Math.max(0, delayNs), task);
        alarms.add(alarm);
        arm();
        return alarm;
    }

    /** Runs the task on the loop periodically. A failure is logged, and the task runs again after the period. */
    public void every(long periodNs, Runnable task) {
        after(periodNs, () -> {
            try {
                task.run();
            } catch (Throwable defect) {
                log.error("periodic task failed, will run again", defect);
            } finally {
                every(periodNs, task);
            }
        });
    }

    /** Returns the number of alarms that are neither due nor canceled. */
    public int pending() {
        return alarms.size;
    }

    private void arm() {
        if (alarms.size == 0) {
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
        armed = clock.wakeAfter(Math.max(1, (dueNs - nowNs() + 999_999) / 1_000_000), this::runDue);
    }

    private void runDue() {
        armed = null;
        long now = nowNs();
        while (alarms.size > 0 && alarms.peek().dueNs - now <= 0) {
            Alarm due = alarms.peek();
            alarms.remove(due);
            try {
                due.task.run();
            } catch (Throwable bug) {
                // The other alarms must still run.
                log.error("engine task failed", bug);
            }
        }
        arm();
    }

    /** A task that will run once, unless canceled. */
    public static final class Alarm {
        private static final int REMOVED = -1;

        private final AlarmHeap heap;
        private final long dueNs;
        private final Runnable task;
        private int index = REMOVED;

        private Alarm(AlarmHeap heap, long dueNs, Runnable task) {
            this.heap = heap;
            this.dueNs = dueNs;
            this.task = task;
        }

        /** Removes the alarm at once. Has no effect on an alarm that has run or was canceled before. */
        public void cancel() {
            if (index != REMOVED) {
                heap.remove(this);
            }
        }
    }

    /** A binary heap of alarms, ordered by due time. Each alarm stores its index, so that it can be removed in O(log n). */
    private static final class AlarmHeap {
        private static final int CAPACITY_MIN = 64;

        /** The first {@link #size} alarms are never null. */
        private @Nullable Alarm[] heap = new Alarm[CAPACITY_MIN];
        private int size;

        /** Returns the alarm that is due first. Must not be called on an empty heap. */
        Alarm peek() {
            return at(0);
        }

        private Alarm at(int index) {
            return Objects.requireNonNull(heap[index]);
        }

        void add(Alarm alarm) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            siftUp(size++, alarm);
        }

        void remove(Alarm alarm) {
            int index = alarm.index;
            alarm.index = Alarm.REMOVED;
            Alarm last = at(--size);
            heap[size] = null;
            if (last != alarm) {
                siftDown(index, last);
                if (heap[index] == last) {
                    siftUp(index, last);
                }
            }
            if (heap.length > CAPACITY_MIN && size < heap.length / 4) {
                heap = Arrays.copyOf(heap, heap.length / 2);
            }
        }

        private void siftUp(int index, Alarm alarm) {
            int at = index;
            while (at > 0 && isBefore(alarm, at((at - 1) / 2))) {
                put(at, at((at - 1) / 2));
                at = (at - 1) / 2;
            }
            put(at, alarm);
        }

        private void siftDown(int index, Alarm alarm) {
            int at = index;
            int child = earlierChild(at);
            while (child < size && isBefore(at(child), alarm)) {
                put(at, at(child));
                at = child;
                child = earlierChild(at);
            }
            put(at, alarm);
        }

        private int earlierChild(int index) {
            int left = 2 * index + 1;
            return left + 1 < size && isBefore(at(left + 1), at(left)) ? left + 1 : left;
        }

        private void put(int index, Alarm alarm) {
            heap[index] = alarm;
            alarm.index = index;
        }

        private static boolean isBefore(Alarm one, Alarm other) {
            return one.dueNs - other.dueNs < 0;
        }
    }
}
