package io.queenmq.engine.time;

/** The clock of an event loop, which can also wake that loop. Its {@link #wakeAfter} may be called on the loop only. */
public interface LoopClock extends Clock {
    /** Runs the task on the loop after this many milliseconds, at least one, unless it is canceled before. */
    Wakeup wakeAfter(long delayMs, Runnable task);

    /** A scheduled task. */
    interface Wakeup {
        void cancel();
    }
}
