package io.queenmq.server.http.server;

/** What is done with a request to one address. Called by the event loop the request came from. */
public interface Route {
    /** @throws BadRequest when the request is wrong; it is then answered 400 */
    void handle(Exchange exchange);
}
