package io.queenmq.engine.simulation;

/**
 * How often a hint between servers meets which trouble; each is a probability.
 *
 * @param late it comes seconds later
 * @param doubled it comes twice
 */
record HintFaults(double lost, double late, double doubled) {
    static final HintFaults NONE = new HintFaults(0, 0, 0);
    static final HintFaults NO_HINT_ARRIVES = new HintFaults(1, 0, 0);
}
