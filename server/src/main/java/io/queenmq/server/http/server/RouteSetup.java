package io.queenmq.server.http.server;

import io.vertx.core.Context;

/** Adds the routes of one event loop. */
@FunctionalInterface
public interface RouteSetup {
    /**
     * Called once for each event loop, on that loop, before it accepts requests.
     *
     * @param loop the context of the event loop
     */
    void addTo(Router router, Context loop);
}
