package io.queenmq.server.http.server;

/** Handles the requests of one address. Called on the event loop of the request. */
public interface Route {
    /** @throws BadRequest if the request is invalid; it is then answered 400 */
    void handle(Exchange exchange);
}
