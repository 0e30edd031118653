package io.queenmq.engine.simulation.store;

/** The implementation of one routine. */
interface Routine {
    /** @throws io.vertx.pgclient.PgException if it fails; then it has changed nothing */
    Answer call(Arguments arguments);
}
