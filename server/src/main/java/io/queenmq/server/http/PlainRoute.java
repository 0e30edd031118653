package io.queenmq.server.http;

/** A route whose requests are told by their path and query alone. */
interface PlainRoute {
    /** @throws BadRequest when the request is wrong; it is then answered 400 */
    void handle(Exchange exchange, RequestPath path);
}
