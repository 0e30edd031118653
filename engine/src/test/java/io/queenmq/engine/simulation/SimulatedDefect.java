package io.queenmq.engine.simulation;

/** What code of a server throws that has a defect. Without a stack trace: it is logged very often. */
final class SimulatedDefect extends RuntimeException {
    SimulatedDefect() {
        super("a simulated defect", null, false, false);
    }
}
