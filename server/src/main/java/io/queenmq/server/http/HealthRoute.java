package io.queenmq.server.http;

import io.queenmq.server.engine.Engine;
import io.queenmq.server.numbers.ServerIdentity;

/** Says whether this server can do its work: it cannot without PostgreSQL. */
final class HealthRoute implements Route {
    static final String PATH = "/health";

    private final Engine engine;
    private final ServerIdentity identity;

    HealthRoute(Engine engine, ServerIdentity identity) {
        this.engine = engine;
        this.identity = identity;
    }

    @Override
    public void handle(Exchange exchange) {
        boolean isConnected = engine.isDatabaseConnected();
        JsonBuffer json = exchange.json().raw("{\"status\":").string(isConnected ? "healthy" : "unhealthy");
        json.raw(",\"database\":").string(isConnected ? "connected" : "disconnected");
        json.raw(",\"server\":\"queen\",\"worker_id\":").string(identity.workerId());
        json.raw(",\"version\":").string(identity.version());
        exchange.send(isConnected ? 200 : 503, json.raw("}"));
    }
}
