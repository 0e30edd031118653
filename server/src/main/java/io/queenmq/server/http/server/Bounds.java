package io.queenmq.server.http.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.HttpConfig;

/** The limits that all event loops share, with their current usage. */
record Bounds(HttpConfig.Limits limits, Bodies bodies, ConnectionLimit connections, Refusals refusals) {
    /** Creates unused limits and registers meters of their usage. */
    static Bounds of(HttpConfig.Limits limits, MeterRegistry registry) {
        Refusals refusals = new Refusals(registry);
        Bounds bounds = new Bounds(limits, new Bodies(limits.requestBytesMax()),
                new ConnectionLimit(limits.connections(), refusals), refusals);
        Gauge.builder("queen.bodies.bytes", bounds.bodies::held).description("Bytes of request bodies in memory.")
                .register(registry);
        Gauge.builder("queen.bodies.bytes.max", limits::requestBytesMax)
                .description("Maximum bytes of request bodies in memory.").register(registry);
        Gauge.builder("queen.bodies.waiting", bounds.bodies::waiting)
                .description("Request bodies that wait for memory.").register(registry);
        Gauge.builder("queen.connections", bounds.connections::open).description("Open client connections.")
                .register(registry);
        Gauge.builder("queen.connections.max", limits.connections()::max)
                .description("Maximum number of client connections.").register(registry);
        return bounds;
    }
}
