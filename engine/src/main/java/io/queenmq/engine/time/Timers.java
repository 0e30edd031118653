package io.queenmq.engine.time;

import java.util.Arrays;
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
    private final AlarmHeap alarms = new AlarmHeap();
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
        Alarm alarm = new Alarm(alarms, nowNs() + Math.max(0, delayNs), task);
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
        armed = clock.wakeAfter(Math.max(1, (dueNs - nowNs() + 999_999) / 1_000_000), this::ring);
    }

    private void ring() {
        armed = null;
        long now = nowNs();
        while (alarms.size > 0 && alarms.peek().dueNs - now <= 0) {
            Alarm due = alarms.peek();
            alarms.remove(due);
            try {
                due.task.run();
            } catch (Throwable bug) {
                // The other alarms are somebody else's.
                log.error("a task of the engine failed", bug);
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

    /** A binary heap of alarms, ordered by due time. Each alarm knows its index, so that it can be removed in O(log n). */
    private static final class AlarmHeap {
        private static final int CAPACITY_MIN = 64;

        private Alarm[] heap = new Alarm[CAPACITY_MIN];
        private int size;

        Alarm peek() {
            return heap[0];
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
            Alarm last = heap[--size];
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
            while (at > 0 && isBefore(alarm, heap[(at - 1) / 2])) {
                put(at, heap[(at - 1) / 2]);
                at = (at - 1) / 2;
            }
            put(at, alarm);
        }

        private void siftDown(int index, Alarm alarm) {
            int at = index;
            int child = earlierChild(at);
            while (child < size && isBefore(heap[child], alarm)) {
                put(at, heap[child]);
                at = child;
                child = earlierChild(at);
            }
            put(at, alarm);
        }

        private int earlierChild(int index) {
            int left = 2 * index + 1;
            return left + 1 < size && isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
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
