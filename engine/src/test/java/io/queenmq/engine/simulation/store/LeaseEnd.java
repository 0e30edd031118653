package io.queenmq.engine.simulation.store;

/** How a lease came to its end. */
public enum LeaseEnd {
    /** Every message in it was finished. */
    FINISHED,
    /** A message in it is to be delivered again. */
    FAILED,
    /** It was given back. */
    RELEASED,
    /** It ran out. */
    EXPIRED,
    /** An operator moved the cursor or deleted what it was about. */
    OVERRULED
}
