package io.queenmq.engine.simulation;

/**
 * The probabilities of faults of a hint.
 *
 * @param late it arrives seconds later
 * @param doubled it arrives twice
 */
record HintFaults(double lost, double late, double doubled) {
    static final HintFaults NONE = new HintFaults(0, 0, 0);
    static final HintFaults NO_HINT_ARRIVES = new HintFaults(1, 0, 0);
}
