package io.queenmq.server.http.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.HttpConfig;

/** The limits that all event loops share, and what counts against them. */
record Bounds(HttpConfig.Limits limits, Bodies bodies, ConnectionLimit connections, Refusals refusals) {
    /** Nothing is taken yet; what will be is told by the meters. */
    static Bounds of(HttpConfig.Limits limits, MeterRegistry registry) {
        Refusals refusals = new Refusals(registry);
        Bounds bounds = new Bounds(limits, new Bodies(limits.requestBytesMax()),
                new ConnectionLimit(limits.connections(), refusals), refusals);
        Gauge.builder("queen.bodies.bytes", bounds.bodies::held)
                .description("Bytes of request bodies in memory.").register(registry);
        Gauge.builder("queen.bodies.bytes.max", limits::requestBytesMax)
                .description("Bytes of request bodies that may be in memory.").register(registry);
        Gauge.builder("queen.bodies.waiting", bounds.bodies::waiting)
                .description("Request bodies that wait for room.").register(registry);
        Gauge.builder("queen.connections", bounds.connections::open)
                .description("Open connections of clients.").register(registry);
        Gauge.builder("queen.connections.max", limits.connections()::max)
                .description("Connections of clients that may be open.").register(registry);
        return bounds;
    }
}
