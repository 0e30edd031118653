package io.queenmq.engine.simulation;

import java.util.List;

/**
 * The probabilities of faults of a call.
 *
 * @param lostBefore the connection breaks, and the call takes no effect
 * @param lostAfter the connection breaks after the call took effect
 * @param silent the connection becomes silent; the call may take effect, at once or much later
 * @param failed the call ends with one of the SQLSTATEs of {@link #STATES} and takes no effect
 * @param slow the call takes seconds
 */
record Faults(double lostBefore, double lostAfter, double silent, double failed, double slow) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 0);

    /** Errors that PostgreSQL may return for a valid call. */
    static final List<String> STATES = List.of("40001", "40001", "40P01", "55P03", "57014", "53100", "53200", "58030",
            "25006", "57P01", "57P03", "3F000", "42883", "XX000");

    boolean areNone() {
        return equals(NONE);
    }
}
