package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.HistoryChange;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.server.config.ExposureConfig;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import java.util.ArrayList;
import java.util.List;

/**
 * Returns the health of this server. A server is unhealthy without PostgreSQL, or if PostgreSQL cannot store messages. A separate
 * path returns whether the server accepts pushes, which the spool allows without PostgreSQL.
 */
public final class HealthRoute implements Route {
    public static final String PATH = "/health";
    public static final String PUSH_PATH = "/health/push";

    private final Engine engine;
    private final ServerIdentity identity;
    private final ExposureConfig exposure;

    public HealthRoute(Engine engine, ServerIdentity identity, ExposureConfig exposure) {
        this.engine = engine;
        this.identity = identity;
        this.exposure = exposure;
    }

    @Override
    public void handle(Exchange exchange) {
        answer(exchange, false);
    }

    /** Returns the same document, but 200 if the server accepts pushes. */
    public void handlePush(Exchange exchange) {
        answer(exchange, engine.spool().isAccepting());
    }

    private void answer(Exchange exchange, boolean isEnough) {
        boolean isConnected = engine.status().isDatabaseConnected();
        String complaint = engine.status().databaseProblem();
        boolean isHealthy = isEnough || isConnected && complaint == null;
        JsonBuffer json = exchange.json().raw("{\"status\":").string(isHealthy ? "healthy" : "unhealthy");
        json.raw(",\"database\":").string(isConnected ? "connected" : "disconnected");
        json.raw(",\"server\":\"queen\",\"worker_id\":").string(identity.workerId());
        json.raw(",\"version\":").string(identity.version());
        ClusterReport cluster = engine.status().cluster();
        json.raw(",\"shared_state\":{\"enabled\":").bool(cluster.isEnabled());
        json.raw(",\"running\":").bool(cluster.isJoined());
        json.raw(",\"servers_alive\":").number(cluster.aliveCount());
        json.raw(",\"servers_dead\":").number(cluster.members().size() - cluster.aliveCount()).raw("}");
        Maintenance maintenance = engine.status().maintenance();
        json.raw(",\"maintenance\":{\"push\":").bool(maintenance.isPushOff());
        json.raw(",\"pop\":").bool(maintenance.isPopOff()).raw("}");
        if (complaint != null) {
            json.raw(",\"error\":").string(complaint);
        }
        int keyless = engine.status().keylessQueueCount();
        List<String> warnings = new ArrayList<>(engine.status().shardProblems());
        if (exposure.isOpen()) {
            warnings.add(ExposureConfig.OPEN_WARNING);
        }
        if (keyless > 0) {
            warnings.add("this server has no QUEEN_ENCRYPTION_KEY, and cannot serve " + keyless
                    + (keyless == 1 ? " encrypted queue" : " encrypted queues"));
        }
        HistoryChange change = engine.status().historyChange();
        json.raw(",\"database_history\":{\"changes\":").number(change == null ? 0 : change.number());
        if (change != null) {
            json.raw(",\"last_change\":").string(change.what());
            json.raw(",\"last_change_at\":").string(Timestamps.textOfMicros(change.atMicros()));
        }
        json.raw("},\"warnings\":[");
        for (int i = 0; i < warnings.size(); i++) {
            json.raw(i == 0 ? "" : ",").string(warnings.get(i));
        }
        SpoolJson.write(json.raw("],\"spool\":"), engine.spool());
        exchange.send(isHealthy ? 200 : 503, json.raw("}"));
    }
}
