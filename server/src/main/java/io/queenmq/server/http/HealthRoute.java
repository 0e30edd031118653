package io.queenmq.server.http;

import io.queenmq.server.cluster.ClusterReport;
import io.queenmq.server.engine.Engine;
import io.queenmq.server.numbers.ServerIdentity;

/** Says whether this server can do its work: it cannot without PostgreSQL, or with one that cannot store anything. */
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
        String complaint = engine.databaseComplaint();
        boolean isHealthy = isConnected && complaint == null;
        JsonBuffer json = exchange.json().raw("{\"status\":").string(isHealthy ? "healthy" : "unhealthy");
        json.raw(",\"database\":").string(isConnected ? "connected" : "disconnected");
        json.raw(",\"server\":\"queen\",\"worker_id\":").string(identity.workerId());
        json.raw(",\"version\":").string(identity.version());
        ClusterReport cluster = engine.cluster();
        json.raw(",\"shared_state\":{\"enabled\":").bool(cluster.isEnabled());
        json.raw(",\"running\":").bool(cluster.isJoined());
        json.raw(",\"servers_alive\":").number(cluster.aliveCount());
        json.raw(",\"servers_dead\":").number(cluster.members().size() - cluster.aliveCount()).raw("}");
        if (complaint != null) {
            json.raw(",\"error\":").string(complaint);
        }
        exchange.send(isHealthy ? 200 : 503, json.raw("}"));
    }
}
