package io.queenmq.engine.time;

/**
 * The only place where this server reads the time. A simulation gives the engine a clock of its own. Safe from any thread.
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

    /** For intervals; comparable with other answers of the same clock only. */
    long nowNs();

    /** The time of day, in milliseconds since 1970; it may jump. */
    long epochMs();
}
