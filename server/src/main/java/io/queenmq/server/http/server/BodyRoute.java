package io.queenmq.server.http.server;

/** A route whose requests have a body. */
public interface BodyRoute {
    /** @throws BadRequest if the request is invalid; it is then answered 400 */
    void handle(Exchange exchange, byte[] body);
}
