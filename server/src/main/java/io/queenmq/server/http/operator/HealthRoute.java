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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Returns the health of this server. A server is unhealthy without PostgreSQL, or if PostgreSQL cannot store messages. The paths for
 * probes do not depend on PostgreSQL alone: a server that spools pushes must neither be restarted nor lose its producers.
 */
public final class HealthRoute implements Route {
    public static final String PATH = "/health";
    public static final String PUSH_PATH = "/health/push";
    public static final String LIVE_PATH = "/health/live";
    public static final String READY_PATH = "/health/ready";
    public static final String STARTUP_PATH = "/health/startup";

    /** Longer than any pause of a loaded machine. After it, only a restart helps. */
    private static final Duration STALLED_AFTER = Duration.ofSeconds(60);

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

    /** Returns the same document, but 200 if the server accepts pushes. Its field status is about PostgreSQL. */
    public void handlePush(Exchange exchange) {
        answer(exchange, engine.spool().isAccepting());
    }

    /** Returns 200 while the engine loop runs, whatever the state of PostgreSQL and of the spool. */
    public void handleLive(Exchange exchange) {
        boolean isAlive = engine.pause().compareTo(STALLED_AFTER) < 0;
        exchange.send(isAlive ? 200 : 503,
                exchange.json().raw("{\"status\":").string(isAlive ? "alive" : "stalled").raw("}"));
    }

    /** Returns the health document, always with 200: a server that answers has completed its start. */
    public void handleStartup(Exchange exchange) {
        answer(exchange, true);
    }

    /** Returns the state of the server in the words of its log. */
    private String summary(boolean isConnected, @Nullable String complaint) {
        Maintenance maintenance = engine.status().maintenance();
        if (!isConnected) {
            return "PostgreSQL is unavailable: " + engine.spool().effectOfOutage();
        }
        if (complaint != null) {
            return "PostgreSQL cannot execute calls: " + complaint;
        }
        if (maintenance.isPushOff()) {
            return maintenance.isPopOff()
                    ? "pushes and pops are closed for maintenance"
                    : "pushes are closed for maintenance";
        }
        return maintenance.isPopOff() ? "pops are closed for maintenance" : "PostgreSQL is available";
    }

    private void answer(Exchange exchange, boolean isEnough) {
        boolean isConnected = engine.status().isDatabaseConnected();
        String complaint = engine.status().databaseProblem();
        boolean isHealthy = isConnected && complaint == null;
        JsonBuffer json = exchange.json().raw("{\"status\":").string(isHealthy ? "healthy" : "unhealthy");
        json.raw(",\"database\":").string(isConnected ? "connected" : "disconnected");
        json.raw(",\"summary\":").string(summary(isConnected, complaint));
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
        exchange.send(isHealthy || isEnough ? 200 : 503, json.raw("}"));
    }
}
