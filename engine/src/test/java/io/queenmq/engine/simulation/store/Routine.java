package io.queenmq.engine.simulation.store;

/** What one routine does with its arguments. */
interface Routine {
    /** @throws io.vertx.pgclient.PgException when it ends with an error, in which case it changed nothing */
    Answer call(Arguments arguments);
}
