package io.queenmq.engine.spool;

/**
 * The spool of one server, as shown to operators.
 *
 * @param state whether it takes messages
 * @param error why it does not; null when it does, or is switched off
 * @param pending messages that are accepted and not stored yet
 * @param bytes of files, with those of refused messages
 * @param oldestMicros when the oldest pending message was accepted; 0 when none is pending
 * @param drainedPerSecond messages that were stored from it, a moment ago
 * @param refused messages that PostgreSQL refused for good, set aside for operators
 * @param damaged pieces of files that could not be read, kept for people to look at
 */
public record SpoolStatus(State state, String error, long pending, long bytes, long bytesMax, long oldestMicros,
        double drainedPerSecond, long refused, long refusedBytes, long damaged) {

    /** Whether messages are taken. */
    public enum State {
        /** It is switched off. */
        OFF,
        /** It takes messages. */
        READY,
        /** There is no room. */
        FULL,
        /** The disk does not do what it should, or the folder cannot be used. */
        BROKEN
    }

    public static final SpoolStatus OFF = new SpoolStatus(State.OFF, null, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Whether pushes are accepted while PostgreSQL is away. */
    public boolean isTaking() {
        return state == State.READY;
    }

    /** Whether all is as it should be. */
    public boolean isHealthy() {
        return state == State.READY || state == State.OFF;
    }
}
