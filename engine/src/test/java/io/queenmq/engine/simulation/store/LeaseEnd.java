package io.queenmq.engine.simulation.store;

/** The way in which a lease ended. */
public enum LeaseEnd {
    /** Every message in it was finished. */
    FINISHED,
    /** A message in it is to be delivered again. */
    FAILED,
    /** It was released. */
    RELEASED,
    /** It expired. */
    EXPIRED,
    /** An operator moved the cursor, or deleted its queue or group. */
    OVERRULED
}
