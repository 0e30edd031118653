package io.queenmq.server.http.operator;

import io.queenmq.engine.Engine;
import io.queenmq.engine.cluster.ClusterReport;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.Timestamps;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import io.queenmq.server.operator.OperatorQueries;
import org.jspecify.annotations.Nullable;

/** Returns the peers of this server and the numbers of exchanged hints. */
public final class SharedStateRoute implements Route {
    public static final String PATH = "/api/v1/system/shared-state";
    /** Paths of the existing Queen server for the same document. */
    public static final String STATS_PATH = "/internal/api/shared-state/stats";
    public static final String INSTANCES_PATH = "/internal/api/inter-instance/stats";

    private final Engine engine;
    private final CachedDocument health;

    public SharedStateRoute(Engine engine, OperatorQueries operatorQueries) {
        this.engine = engine;
        this.health = CachedDocument.of(operatorQueries, "server_health");
    }

    @Override
    public void handle(Exchange exchange) {
        health.read(exchange.reply(document -> send(exchange, document.orElse("null"))));
    }

    /** @param reporting the servers that report to the database, including those that are not peers */
    private void send(Exchange exchange, String reporting) {
        ClusterReport report = engine.status().cluster();
        JsonBuffer json = exchange.json().raw("{\"enabled\":").bool(report.isEnabled());
        json.raw(",\"running\":").bool(report.isJoined()).raw(",\"server_id\":").string(report.self().name());
        json.raw(",\"version\":").string(report.self().version());
        if (report.isEnabled()) {
            transport(json, report);
        }
        ClusterReport.QueueCache cache = report.queueCache();
        json.raw(",\"queue_config_cache\":{\"size\":").number(cache.size()).raw(",\"hits\":").number(cache.hits());
        json.raw(",\"misses\":").number(cache.misses()).raw(",\"hit_rate\":");
        json.number(cache.hits() == 0 ? 0 : (double) cache.hits() / (cache.hits() + cache.misses()));
        json.raw("},\"server_health\":").raw(reporting);
        json.raw(",\"maintenance_mode\":").bool(engine.status().maintenance().isPushOff());
        json.raw(",\"pop_maintenance_mode\":").bool(engine.status().maintenance().isPopOff());
        exchange.send(200, json.raw("}"));
    }

    private static void transport(JsonBuffer json, ClusterReport report) {
        Traffic.Counts traffic = report.traffic();
        json.raw(",\"transport\":{\"server_id\":").string(report.self().name());
        json.raw(",\"session_id\":").uuid(report.self().id()).raw(",\"address\":");
        json.stringOrNull(report.address()).raw(",\"port\":").number(port(report.address()));
        json.raw(",\"queues\":").number(report.queues());
        json.raw(",\"peer_count\":").number(report.members().size()).raw(",\"peers\":[");
        for (int i = 0; i < report.members().size(); i++) {
            json.raw(i == 0 ? "" : ",");
            peer(json, report.members().get(i));
        }
        json.raw("],\"messages_sent\":").number(traffic.sent());
        json.raw(",\"messages_received\":").number(traffic.received());
        json.raw(",\"messages_dropped\":").number(traffic.dropped());
        json.raw(",\"signature_failures\":").number(traffic.refused());
        json.raw(",\"sequence_rejections\":").number(traffic.repeated());
        json.raw(",\"malformed\":").number(traffic.malformed());
        json.raw(",\"other_version\":").number(traffic.ofOtherVersion()).raw("}");
    }

    private static void peer(JsonBuffer json, ClusterReport.Member member) {
        json.raw("{\"session_id\":").uuid(member.id()).raw(",\"server_id\":");
        json.stringOrNull(member.name()).raw(",\"version\":").stringOrNull(member.version());
        json.raw(",\"state\":").string(member.isLeaving() ? "leaving" : member.isAlive() ? "alive" : "silent");
        json.raw(",\"member_since\":").string(Timestamps.textOfMicros(member.sinceMs() * 1_000));
        json.raw(",\"started_at\":");
        json.stringOrNull(member.startedAtMs() == 0 ? null : Timestamps.textOfMicros(member.startedAtMs() * 1_000));
        json.raw(",\"queues\":").number(member.queues()).raw(",\"round_trip_ms\":");
        if (member.roundTripMicros() < 0) {
            json.raw("null");
        } else {
            json.number(member.roundTripMicros() / 1_000.0);
        }
        json.raw("}");
    }

    private static int port(@Nullable String address) {
        return address == null ? 0 : Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}
