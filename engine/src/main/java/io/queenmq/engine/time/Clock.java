package io.queenmq.engine.time;

/**
 * The clock of this server. No other code of the engine reads the time, so that a simulation can replace the clock. Safe from any
 * thread.
 */
public interface Clock {
    Clock SYSTEM = new Clock() {
        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public long epochMs() {
            return System.currentTimeMillis();
        }
    };

    /** Returns a monotonic time for intervals, which is comparable only with other times of the same clock. */
    long nowNs();

    /** Returns the time of day in milliseconds since 1970. It may jump. */
    long epochMs();
}
