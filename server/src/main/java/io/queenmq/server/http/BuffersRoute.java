package io.queenmq.server.http;

import io.queenmq.engine.Engine;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.SpoolStatus;

/** Tells what waits on this server's disk for PostgreSQL to come back. */
final class BuffersRoute implements Route {
    static final String PATH = "/api/v1/status/buffers";

    private final Engine engine;
    private final ServerIdentity identity;

    BuffersRoute(Engine engine, ServerIdentity identity) {
        this.engine = engine;
        this.identity = identity;
    }

    @Override
    public void handle(Exchange exchange) {
        SpoolStatus spool = engine.spool();
        JsonBuffer json = exchange.json().raw("{\"pending\":").number(spool.pending());
        json.raw(",\"failed\":").number(spool.refused()).raw(",\"dbHealthy\":");
        json.bool(engine.status().isDatabaseConnected()).raw(",\"worker\":").string(identity.workerId());
        exchange.send(200, json.raw("}"));
    }
}
