package io.queenmq.server.http;

import io.queenmq.server.engine.Engine;

/** Says whether this server can do its work: it cannot without PostgreSQL. */
final class HealthRoute implements PlainRoute {
    static final String PATH = "/health";

    private final Engine engine;
    private final String version;

    HealthRoute(Engine engine, String version) {
        this.engine = engine;
        this.version = version;
    }

    @Override
    public void handle(Exchange exchange, RequestPath path) {
        boolean isConnected = engine.isDatabaseConnected();
        JsonBuffer json = exchange.json().raw("{\"status\":").string(isConnected ? "healthy" : "unhealthy");
        json.raw(",\"database\":").string(isConnected ? "connected" : "disconnected");
        json.raw(",\"server\":\"queen\",\"version\":").string(version);
        exchange.send(isConnected ? 200 : 503, json.raw("}"));
    }
}
