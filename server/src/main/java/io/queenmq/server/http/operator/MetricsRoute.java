package io.queenmq.server.http.operator;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.engine.Engine;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.RequestMeters;
import io.queenmq.server.http.server.RequestMeters.Kind;
import io.queenmq.server.operator.OperatorQueries;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Returns the metrics of the server, as JSON for people and older dashboards and as text for Prometheus. Totals of all servers
 * are added if the database is available. Safe from any thread.
 */
public final class MetricsRoute {
    public static final String JSON_PATH = "/metrics";
    public static final String PROMETHEUS_PATH = "/metrics/prometheus";
    private static final String PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final String CURRENT = "current";
    /** A line of a metric with such a name, or of its help and type. */
    private static final Pattern OLDER = Pattern
            .compile("^(?:# (?:HELP|TYPE) )?queen_(?:\\w+_(?:milli|micro)seconds(?:_total)?|sidecar_op_count)[ {]");

    private final PrometheusMeterRegistry registry;
    private final RequestMeters requests;
    private final Engine engine;
    private final CachedDocument prometheus;
    private final CachedDocument totals;

    /** @param seriesMax maximum number of queues, and of pairs of queue and group, with their own series */
    public MetricsRoute(PrometheusMeterRegistry registry, RequestMeters requests, Engine engine,
            OperatorQueries operatorQueries, long seriesMax) {
        this.registry = registry;
        this.requests = requests;
        this.engine = engine;
        this.prometheus = CachedDocument.forScrapes(operatorQueries, "prometheus", seriesMax);
        this.totals = CachedDocument.of(operatorQueries, "lifetime_totals");
    }

    public void handlePrometheus(Exchange exchange) {
        boolean isCurrent = CURRENT.equals(exchange.query().textOrNull("names"));
        prometheus.read(exchange.reply(text -> {
            String all = registry.scrape() + engine.queueMetrics() + text.orElse("");
            exchange.sendPage(PROMETHEUS_TYPE, isCurrent ? withoutOlderNames(all) : all);
        }));
    }

    /** Removes the metrics of Queen 0.15 whose names break the rules of Prometheus. Others have their values in base units. */
    private static String withoutOlderNames(String text) {
        return text.lines().filter(line -> !OLDER.matcher(line).find()).collect(Collectors.joining("\n", "", "\n"));
    }

    public void handleJson(Exchange exchange) {
        totals.read(exchange.reply(document -> sendJson(exchange, document)));
    }

    private void sendJson(Exchange exchange, Optional<String> document) {
        JsonBuffer json = exchange.json().raw("{\"uptime\":");
        json.number(ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
        json.raw(",\"requests\":{");
        number(json, "total", total(Kind.PUSH, Kind.POP, Kind.ACK, Kind.TRANSACTION, Kind.RENEW), true);
        json.raw("},\"messages\":{");
        number(json, "pushed", requests.items(Kind.PUSH), true);
        number(json, "popped", requests.items(Kind.POP), false);
        number(json, "acked", requests.items(Kind.ACK), false);
        json.raw("},\"database\":{");
        double connections = gauge("queen.db.connections");
        number(json, "poolSize", connections, true);
        number(json, "idleConnections", connections - gauge("queen.db.connections.busy"), false);
        number(json, "waitingRequests", waiting(), false);
        json.raw("},\"memory\":{");
        Runtime runtime = Runtime.getRuntime();
        number(json, "heapUsed", runtime.totalMemory() - runtime.freeMemory(), true);
        number(json, "heapMax", runtime.maxMemory(), false);
        json.raw("},\"cpu\":{");
        number(json, "processSeconds", cpuSeconds(), true);
        json.raw("},\"operations\":{");
        operations(json);
        json.raw("},\"calls\":{");
        calls(json);
        json.raw("},\"gauges\":{");
        gauges(json);
        json.raw("}");
        document.ifPresent(text -> json.raw(",\"totals\":").raw(text));
        exchange.send(200, json.raw("}"));
    }

    private void operations(JsonBuffer json) {
        for (Kind kind : Kind.values()) {
            json.raw(kind.ordinal() == 0 ? "" : ",").string(kind.label()).raw(":{");
            number(json, "count", requests.count(kind), true);
            number(json, "errors", requests.errors(kind), false);
            number(json, "items", requests.items(kind), false);
            number(json, "meanMs", requests.meanMs(kind), false);
            number(json, "maxMs", requests.maxMs(kind), false);
            json.raw("}");
        }
    }

    private void calls(JsonBuffer json) {
        Map<String, Timer> timers = new TreeMap<>();
        registry.find("queen.call").timers().forEach(timer -> timers.put(timer.getId().getTag("op"), timer));
        boolean isFirst = true;
        for (Map.Entry<String, Timer> each : timers.entrySet()) {
            DistributionSummary sizes = registry.get("queen.call.size").tag("op", each.getKey()).summary();
            json.raw(isFirst ? "" : ",").string(each.getKey()).raw(":{");
            number(json, "count", each.getValue().count(), true);
            number(json, "errors", registry.get("queen.call.errors").tag("op", each.getKey()).counter().count(), false);
            number(json, "meanMs", each.getValue().mean(TimeUnit.MILLISECONDS), false);
            number(json, "maxMs", each.getValue().max(TimeUnit.MILLISECONDS), false);
            number(json, "meanSize", sizes.mean(), false);
            number(json, "inFlight", registry.get("queen.call.in.flight").tag("op", each.getKey()).gauge().value(),
                    false);
            json.raw("}");
            isFirst = false;
        }
    }

    private void gauges(JsonBuffer json) {
        List<Meter> untagged = registry.getMeters().stream()
                .filter(meter -> meter instanceof Gauge || meter instanceof FunctionCounter)
                .filter(meter -> meter.getId().getTags().isEmpty())
                .sorted(Comparator.comparing((Meter meter) -> meter.getId().getName())).toList();
        for (int i = 0; i < untagged.size(); i++) {
            number(json, untagged.get(i).getId().getName(), untagged.get(i).measure().iterator().next().getValue(),
                    i == 0);
        }
    }

    private double total(Kind... kinds) {
        double total = 0;
        for (Kind kind : kinds) {
            total += requests.count(kind);
        }
        return total;
    }

    private double waiting() {
        return registry.find("queen.call.waiting").gauges().stream().mapToDouble(Gauge::value).sum();
    }

    private double gauge(String name) {
        Gauge gauge = registry.find(name).gauge();
        return gauge == null ? 0 : gauge.value();
    }

    private static double cpuSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().map(used -> used.toMillis() / 1000.0).orElse(0.0);
    }

    private static void number(JsonBuffer json, String name, double value, boolean isFirst) {
        json.raw(isFirst ? "" : ",").string(name).raw(":");
        if (value == Math.rint(value)) {
            json.number((long) value);
        } else {
            json.raw(Double.toString(Math.rint(value * 1000) / 1000));
        }
    }
}
