package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;

/** Returns the number of messages in the spool of this server. */
public final class BuffersRoute implements Route {
    public static final String PATH = "/api/v1/status/buffers";

    private final Engine engine;
    private final ServerIdentity identity;

    public BuffersRoute(Engine engine, ServerIdentity identity) {
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
