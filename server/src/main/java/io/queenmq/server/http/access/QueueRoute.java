package io.queenmq.server.http.access;

import io.queenmq.server.http.server.Exchange;

/**
 * A route whose requests name the queues that they concern. It declares them before it handles a request, so that rights are
 * checked in one place and before the request has any effect.
 *
 * @param <T> a parsed request
 */
public interface QueueRoute<T> {
    /**
     * @param body empty for a request without a body
     * @throws BadRequest if the request is invalid
     */
    T parse(Exchange exchange, byte[] body);

    /** Adds the right for every queue that the request concerns. Called only for callers with rights per queue. */
    void addNeeds(T request, Needs needs);

    void handle(Exchange exchange, T request);

    /** Answers a request that names partitions, leases or stream queries that do not exist. */
    default void handleUnknown(Exchange exchange, T request, Unknown unknown) {
        exchange.error(404, unknown.inWords());
    }
}
