package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.catalog.Maintenance;
import io.queenmq.engine.command.RefreshCatalogCommand;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.BodyRoute;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Returns and changes the maintenance modes, and returns the state of the spool of this server. Reading also works while
 * PostgreSQL is unavailable; it then returns the modes that this server has cached.
 */
public final class MaintenanceRoute implements Route, BodyRoute {
    public static final String PATH = "/api/v1/system/maintenance";

    private static final String PUSH = "push";
    private static final double MEGABYTE = 1024 * 1024;

    private final Engine engine;
    private final OperatorQueries operatorQueries;

    public MaintenanceRoute(Engine engine, OperatorQueries operatorQueries) {
        this.engine = engine;
        this.operatorQueries = operatorQueries;
    }

    @Override
    public void handle(Exchange exchange) {
        if (!engine.status().isDatabaseConnected()) {
            show(exchange, engine.status().maintenance());
            return;
        }
        operatorQueries.call(new OperatorCall("maintenance", List.of(PUSH), exchange.reply(outcome -> show(exchange,
                outcome instanceof OperatorOutcome.Document(var json) ? read(json) : engine.status().maintenance()),
                _ -> show(exchange, engine.status().maintenance()))));
    }

    private static Maintenance read(String json) {
        Map<String, Object> fields = OperatorBody.parse(json.getBytes(StandardCharsets.UTF_8));
        return new Maintenance(Boolean.TRUE.equals(fields.get("maintenanceMode")),
                Boolean.TRUE.equals(fields.get("popMaintenanceMode")));
    }

    private void show(Exchange exchange, Maintenance maintenance) {
        SpoolStatus spool = engine.spool();
        JsonBuffer json = exchange.json().raw("{\"maintenanceMode\":").bool(maintenance.isPushOff());
        json.raw(",\"popMaintenanceMode\":").bool(maintenance.isPopOff());
        buffer(json, spool);
        json.raw(",\"bufferStats\":{\"pendingCount\":").number(spool.pending());
        json.raw(",\"failedCount\":").number(spool.refused());
        json.raw(",\"dbHealthy\":").bool(engine.status().isDatabaseConnected());
        json.raw(",\"failedFiles\":{\"count\":").number(spool.refused() > 0 ? 1 : 0);
        json.raw(",\"totalBytes\":").number(spool.refusedBytes());
        json.raw(",\"totalMB\":").raw(String.format(Locale.ROOT, "%.2f", spool.refusedBytes() / MEGABYTE));
        json.raw(",\"failoverCount\":").number(spool.refused() > 0 ? 1 : 0).raw(",\"qos0Count\":0}}");
        SpoolJson.write(json.raw(",\"spool\":"), spool);
        exchange.send(200, json.raw("}"));
    }

    private static void buffer(JsonBuffer json, SpoolStatus spool) {
        json.raw(",\"bufferedMessages\":").number(spool.pending());
        json.raw(",\"bufferHealthy\":").bool(spool.isHealthy());
    }

    /** Switches push maintenance on or off for all servers. */
    @Override
    public void handle(Exchange exchange, byte[] body) {
        boolean isOff = (Boolean) Parameter.requiredFlag().from(OperatorBody.parse(body).get("enabled"), "enabled");
        operatorQueries.call(new OperatorCall("set_maintenance", Arrays.asList(exchange.actor(), PUSH, isOff),
                exchange.reply(outcome -> {
                    if (outcome instanceof OperatorOutcome.Document) {
                        // The response is sent after this server has loaded the change. The change itself is already stored.
                        engine.submit(new RefreshCatalogCommand(exchange
                                .<@Nullable Void>reply(_ -> confirm(exchange, isOff), _ -> confirm(exchange, isOff))));
                    } else {
                        exchange.error(400, "the maintenance mode could not be changed");
                    }
                })).from(exchange.clientAddress()));
    }

    private void confirm(Exchange exchange, boolean isOff) {
        SpoolStatus spool = engine.spool();
        JsonBuffer json = exchange.json().raw("{\"maintenanceMode\":").bool(isOff);
        buffer(json, spool);
        exchange.send(200, json.raw(",\"message\":").string(inWords(isOff, spool)).raw("}"));
    }

    private static String inWords(boolean isOff, SpoolStatus spool) {
        if (!isOff) {
            return "pushes are taken";
        }
        return spool.isAccepting() ? "pushes are kept in the spool" : "pushes are refused";
    }
}
