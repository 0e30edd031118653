package io.queenmq.server.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.HttpConfig;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What all event loops together may take.
 *
 * @param connections how many there are
 */
record Bounds(HttpConfig.Limits limits, Bodies bodies, AtomicInteger connections, Refusals refusals) {
    /** Nothing is taken yet; what will be is told by the meters. */
    static Bounds of(HttpConfig.Limits limits, MeterRegistry registry) {
        Bounds bounds = new Bounds(limits, new Bodies(limits.requestBytesMax()), new AtomicInteger(),
                new Refusals(registry));
        Gauge.builder("queen.bodies.bytes", bounds.bodies::held)
                .description("Bytes of request bodies in memory.").register(registry);
        Gauge.builder("queen.bodies.bytes.max", limits::requestBytesMax)
                .description("Bytes of request bodies that may be in memory.").register(registry);
        Gauge.builder("queen.bodies.waiting", bounds.bodies::waiting)
                .description("Request bodies that wait for room.").register(registry);
        Gauge.builder("queen.connections", bounds.connections::get)
                .description("Open connections of clients.").register(registry);
        return bounds;
    }
}
