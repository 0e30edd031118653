package io.queenmq.engine.simulation;

/** The exception of a simulated defect. It has no stack trace, because it is logged very often. */
final class SimulatedDefect extends RuntimeException {
    SimulatedDefect() {
        super("a simulated defect", null, false, false);
    }
}
