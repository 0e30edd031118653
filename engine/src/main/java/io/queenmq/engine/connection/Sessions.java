package io.queenmq.engine.connection;

import io.vertx.core.Future;

/** Opens sessions of one kind. Called on the engine loop. */
public interface Sessions {
    Future<Session> open();
}
