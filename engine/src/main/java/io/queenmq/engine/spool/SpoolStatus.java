package io.queenmq.engine.spool;

import org.jspecify.annotations.Nullable;

/**
 * The status of the spool of one server, for operators.
 *
 * @param state whether it accepts messages
 * @param error the reason for which it does not; null if it does or is switched off
 * @param pending accepted messages that are not stored yet
 * @param bytes the size of its files, including those of refused messages
 * @param oldestMicros the acceptance time of the oldest pending message; 0 if none is pending
 * @param drainedPerSecond messages per second that were stored from it recently
 * @param refused messages that PostgreSQL refused, kept for operators
 * @param damaged damaged parts of files, saved for inspection
 */
public record SpoolStatus(State state, @Nullable String error, long pending, long bytes, long bytesMax,
        long oldestMicros, double drainedPerSecond, long refused, long refusedBytes, long damaged) {

    /** The state of a spool. */
    public enum State {
        /** Switched off. */
        OFF,
        /** Accepts messages. */
        READY,
        /** Full. */
        FULL,
        /** The disk has failed, or the folder cannot be used. */
        BROKEN
    }

    public static final SpoolStatus OFF = new SpoolStatus(State.OFF, null, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns true if pushes are accepted while PostgreSQL is unavailable. */
    public boolean isAccepting() {
        return state == State.READY;
    }

    /** Returns how requests are handled while PostgreSQL is unavailable, for log lines, health and the command line. */
    public String effectOfOutage() {
        return switch (state) {
            case READY -> "pushes are spooled, other requests wait or are rejected with 503";
            case OFF -> "requests are rejected with 503, because the spool is switched off";
            case FULL, BROKEN -> "requests are rejected with 503, because the spool is unusable: " + error;
        };
    }

    /** Returns true unless messages are rejected because of an error or a full spool. */
    public boolean isHealthy() {
        return state == State.READY || state == State.OFF;
    }
}
