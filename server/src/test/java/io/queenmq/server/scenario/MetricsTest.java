package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.queenmq.engine.numbers.PushRefusal;
import io.queenmq.server.scenario.Exposition.Family;
import io.queenmq.server.scenario.Exposition.Series;
import io.queenmq.testkit.Await;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The metrics of a running server: operations, queues and groups. */
class MetricsTest {
    /** Names of the API of Queen 0.15 that do not follow the naming rules of Prometheus, and the customary name of an info metric. */
    private static final Set<String> OLDER_NAMES = Set.of("queen_sidecar_op_count", "queen_build_info");

    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("METRICS_REPORT_INTERVAL_MS", "100", "STATS_INTERVAL_MS",
            "100", "EVICTION_INTERVAL", "100", "RETENTION_INTERVAL", "100", "QUEEN_SYNC_ENABLED", "true"));

    private static QueenClient other;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        other = server.startAnother(Map.of("METRICS_MAX_SERIES", "2", "SPOOL_ENABLED", "false",
                "METRICS_REPORT_INTERVAL_MS", "100", "QUEEN_SYNC_ENABLED", "false"));
    }

    @Test
    void everyOperationHasMetricsOfItsCalls() {
        // A pushed segment is cached if a group reads the queue on this server, so the queue must exist before.
        queen.push(queue, "a", "0");
        queen.ackAll(queen.pop(queue), "completed");
        queen.push(queue, "a", "1", "2");
        Answer popped = queen.pop(queue, "batch=2");
        queen.ackAll(popped, "completed");

        JsonNode metrics = queen.get("/metrics").json();

        assertThat(metrics.at("/operations/push/items").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(metrics.at("/operations/pop/count").asInt()).isPositive();
        assertThat(metrics.at("/operations/ack/items").asInt()).isGreaterThanOrEqualTo(2);
        for (String call : new String[]{"push", "lease", "ack"}) {
            assertThat(metrics.at("/calls/" + call + "/count").asInt()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/errors").asInt()).as(call).isZero();
            assertThat(metrics.at("/calls/" + call + "/meanMs").asDouble()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/meanSize").asDouble()).as(call).isPositive();
            assertThat(metrics.at("/calls/" + call + "/inFlight").isNumber()).as(call).isTrue();
        }
        assertThat(metrics.at("/database/poolSize").asInt()).isPositive();
        assertThat(metrics.at("/gauges/queen.pop.ready").isNumber()).isTrue();
        assertThat(metrics.at("/gauges/queen.segment.cache.hits").asInt()).isPositive();
    }

    @Test
    void everyMetricHasHelpAMatchingTypeAndAValidName() {
        queen.push(queue, "a", "1");
        // Metrics of servers cover full minutes.
        Await.until(() -> server.update("insert into queen.server_bucket select server_id, 1, at - interval '1 minute',"
                + " push_requests, push_messages, pop_requests, pop_messages, pop_empty, ack_requests, ack_success,"
                + " ack_failed, transactions, dead_letters, partitions_created, lag_sum_ms, lag_max_ms, calls, db_errors"
                + " from queen.server_bucket where minutes = 1 on conflict do nothing") > 0);

        Exposition metrics = metrics(exposition -> exposition.families().keySet()
                .containsAll(List.of("queen_upkeep_pass_seconds", "queen_worker_dlq_per_minute")));

        assertThat(metrics.families()).hasSizeGreaterThan(105).containsKeys("queen_queue_depth", "queen_servers",
                "queen_worker_dlq_per_minute");
        for (Family family : metrics.families().values()) {
            assertThat(family.name()).startsWith("queen_")
                    .doesNotContainPattern("_(ms|us|secs?|millis|micros|kb|mb)(_|$)");
            assertThat(family.help()).as(family.name()).matches("[1A-Z].*[.]");
            assertThat(family.samples()).as(family.name()).isNotEmpty();
            boolean isCumulative = family.name()
                    .matches(".*_(hits|misses|errors|removed|accepted|drained|cycles|emitted|"
                            + "changes|refused|dead_lettered)(_total)?")
                    || family.name().endsWith("_total");
            assertThat(family.type().equals("counter")).as(family.name() + " is a " + family.type())
                    .isEqualTo(isCumulative);
            assertThat(family.type().equals("counter")).as("a counter has the suffix of counters: " + family.name())
                    .isEqualTo(family.name().endsWith("_total"));
            if (!OLDER_NAMES.contains(family.name())) {
                assertThat(family.name()).doesNotMatch(".*_(count|sum|bucket|info)");
            }
            for (Series series : family.samples().keySet()) {
                assertThat(series.labels().keySet()).as("labels reserved by Prometheus: " + series)
                        .doesNotContain("job", "instance", "quantile").noneMatch(label -> label.startsWith("__"));
                assertThat(series.labels().containsKey("le")).isEqualTo(series.name().endsWith("_bucket"));
            }
        }
    }

    @Test
    void theBacklogOfQueuesAndGroupsIsReportedForAnyNames() {
        String odd = "a \"quoted\" \\ back\nslash " + queue;
        queen.post("/api/v1/push", "{\"items\":[{\"queue\":" + quoted(odd) + ",\"payload\":1},{\"queue\":" + quoted(odd)
                + ",\"payload\":2},{\"queue\":" + quoted(odd) + ",\"payload\":3}]}");
        Answer popped = queen.get("/api/v1/pop/queue/" + QueenClient.encode(odd) + "?batch=2&consumerGroup=b%22g");
        queen.ackEach(popped, "completed", "dlq");

        Map<String, String> ofGroup = Map.of("queue", odd, "group", "b\"g");
        Exposition metrics = metrics(
                exposition -> Double.valueOf(1).equals(exposition.value("queen_group_lag_messages", ofGroup)));

        assertThat(metrics.value("queen_queue_depth", Map.of("queue", odd))).isEqualTo(1);
        assertThat(metrics.value("queen_group_oldest_unread_seconds", ofGroup)).isBetween(0.0, 600.0);
        assertThat(metrics.value("queen_group_lagging_partitions", ofGroup)).isEqualTo(1);
        assertThat(metrics.value("queen_dead_letters", Map.of("queue", odd))).isEqualTo(1);
        assertThat(metrics.value("queen_dead_lettered_total", Map.of("queue", odd, "reason", "consumer"))).isEqualTo(1);
        assertThat(metrics.value("queen_dead_lettered_total", Map.of("queue", odd, "reason", "expired"))).isZero();
        for (PushRefusal reason : PushRefusal.values()) {
            assertThat(metrics.value("queen_push_refused_total",
                    Map.of("queue", odd, "reason", reason.name().toLowerCase(Locale.ROOT)))).as(reason.name()).isZero();
        }
    }

    @Test
    void theAgeOfTheOldestUnreadMessageGrowsWithoutConsumers() {
        queen.pop(queue, "consumerGroup=gone");
        queen.push(queue, "a", "1");
        server.age(queue, 4000);

        Map<String, String> labels = Map.of("queue", queue, "group", "gone");
        queen.popPartition(queue, "a", "consumerGroup=gone");
        queen.post("/api/v1/stats/refresh", "");
        Exposition metrics = metrics(exposition -> exposition.value("queen_group_oldest_unread_seconds", labels) != null
                && exposition.value("queen_group_oldest_unread_seconds", labels) > 1000);

        assertThat(metrics.value("queen_group_oldest_unread_seconds", labels)).isBetween(4000.0, 5000.0);
    }

    @Test
    void seriesOfAnIdleQueueRemainUntilItIsDeleted() {
        queen.push(queue, "a", "1");
        queen.ackAll(queen.pop(queue, "consumerGroup=g"), "completed");
        Set<Series> before = seriesOf(metrics(exposition -> Double.valueOf(0)
                .equals(exposition.value("queen_group_lag_messages", Map.of("queue", queue, "group", "g")))));
        // Shift the numbers of minutes by an hour.
        server.update("delete from queen.queue_bucket");

        assertThat(seriesOf(metrics(exposition -> true))).isEqualTo(before).hasSizeGreaterThan(25);
        queen.delete("/api/v1/resources/queues/" + queue);
        metrics(exposition -> seriesOf(exposition).isEmpty());
    }

    /** The oldest queues keep their own series. All others are summed in one series. */
    @Test
    void queuesBeyondTheLimitOfSeriesAreSummed() {
        queen.push(queue, "a", "1", "2", "3");
        List<String> oldest = server.select("select name from queen.queue order by created_at, id limit 2");
        AtomicReference<Exposition> found = new AtomicReference<>();
        Await.until(() -> {
            found.set(Exposition.parse(other.get("/metrics/prometheus").body()));
            Double rest = found.get().value("queen_queue_depth", Map.of("queue", "_other"));
            return oldest.contains(queue) || rest != null && rest >= 3;
        });

        Set<String> queues = new HashSet<>();
        found.get().families().get("queen_queue_depth").samples().keySet()
                .forEach(series -> queues.add(series.labels().get("queue")));
        assertThat(queues).containsAll(oldest).isSubsetOf(Set.of(oldest.getFirst(), oldest.getLast(), "_other"));
        // The sum is complete: both servers report the same sum when they have loaded all numbers.
        metrics(exposition -> depth(exposition) == depth(Exposition.parse(other.get("/metrics/prometheus").body())));
        assertThat(found.get().value("queen_series_omitted", Map.of("kind", "queue")))
                .isEqualTo(Double.parseDouble(server.select("select count(*) - 2 from queen.queue").getFirst()));
    }

    private static double depth(Exposition metrics) {
        return metrics.families().get("queen_queue_depth").samples().values().stream().mapToDouble(Double::doubleValue)
                .sum();
    }

    @Test
    void rejectedPushesAreCountedByReason() {
        queen.configure(queue, "{\"maxSize\":2}");
        String sealed = server.newQueue();
        server.update("insert into queen.queue (id, name, namespace, task, encryption_enabled)"
                + " values (gen_random_uuid(), ?, '', '', true)", sealed);
        server.update("update queen.system_state set encryption_epoch = encryption_epoch + 1");
        server.update("update queen.catalog set version = version + 1");

        assertThat(queen.push(queue, "a", "1", "2", "3").each("status")).containsExactly("queued", "queued", "failed");
        assertThat(queen.push(queue, "b", "4", "5").each("status")).containsExactly("failed", "failed");
        Await.until(() -> queen.push(sealed, "a", "6").each("status").equals(List.of("failed")));
        Answer aborted = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":" + "[{\"queue\":\"" + queue
                + "\",\"partition\":\"a\",\"payload\":1}]}]}");
        assertThat(aborted.json().get("success").asBoolean()).isFalse();

        Exposition metrics = metrics(exposition -> Double.valueOf(4)
                .equals(exposition.value("queen_push_refused_total", Map.of("queue", queue, "reason", "full")))
                && Double.valueOf(2).equals(exposition.value("queen_queue_depth", Map.of("queue", queue))));
        assertThat(metrics.value("queen_push_refused_total", Map.of("queue", sealed, "reason", "encryption")))
                .isPositive();
        assertThat(metrics.value("queen_queue_depth", Map.of("queue", queue))).isEqualTo(2)
                .isEqualTo(metrics.value("queen_queue_max_size", Map.of("queue", queue)));

        JsonNode status = queen.get("/api/v1/status?queue=" + queue).json();
        assertThat(status.at("/errors/pushRefused").asInt()).isEqualTo(4);
        assertThat(status.get("refusals")).hasSize(1);
        assertThat(status.at("/refusals/0/queue").asText()).isEqualTo(queue);
        assertThat(status.at("/refusals/0/reason").asText()).isEqualTo("full");
        assertThat(status.at("/refusals/0/count").asInt()).isEqualTo(4);
        assertThat(status.get("throughput")).extracting(point -> point.at("/pushRefusedReasons/full").asInt())
                .contains(4);
        assertThat(queen.get("/api/v1/resources/overview").json().get("pushRefused").asInt()).isGreaterThanOrEqualTo(5);
        assertThat(queen.get("/api/v1/resources/queues").json().get("queues"))
                .filteredOn(each -> each.get("name").asText().equals(queue)).singleElement()
                .satisfies(full -> assertThat(full.at("/messages/pending").asInt())
                        .isEqualTo(full.get("maxSize").asInt()));
    }

    /** Dead-letters messages for every reason, and compares the counters. */
    @Test
    void deadLettersAreCountedByReason() {
        String unread = server.newQueue();
        for (String each : List.of(queue, unread)) {
            queen.configure(each,
                    "{\"retryLimit\":0,\"retryDelay\":0,\"maxWaitTimeSeconds\":1000,\"deadLetterQueue\":true}");
        }
        double before = metrics(exposition -> true).value("queen_cluster_dlq_total", Map.of("scope", "cluster"));
        queen.push(queue, "a", "1", "2", "3", "4", "5", "6");
        queen.ackAll(queen.popPartition(queue, "a"), "dlq");
        queen.ackAll(queen.popPartition(queue, "a"), "failed");
        queen.popPartition(queue, "a");
        server.expireLeases(queue);
        Await.until(() -> queen.popPartition(queue, "a").messages().size() == 1);
        String partition = queen.get("/api/v1/messages?queue=" + queue).json().at("/messages/0/partitionId").asText();
        queen.post("/api/v1/messages/" + partition + "/5/dlq", "{}");
        queen.post("/api/v1/consumer-groups/__QUEUE_MODE__/queues/" + queue + "/partitions/a/skip", "{\"toDlq\":true}");
        // The last message expires, and so do two messages without a reader.
        queen.push(unread, "a", "7", "8");
        for (String each : List.of(queue, unread)) {
            Await.until(
                    () -> !server
                            .select("select u.partition_id from queen.partition_upkeep u join queen.queue q"
                                    + " on q.id = u.queue_id where u.kind = 'eviction' and q.name = ?", each)
                            .isEmpty());
            server.age(each, 1001);
        }

        Await.until(() -> server.deadLetters(queue).size() == 6 && server.deadLetters(unread).size() == 2);

        Exposition metrics = metrics(
                exposition -> Double.valueOf(6).equals(exposition.value("queen_dead_letters", Map.of("queue", queue))));
        Map<String, Integer> reasons = Map.of("consumer", 1, "retry_limit", 1, "lease_expired", 1, "operator", 2,
                "expired", 1);
        reasons.forEach((reason,
                count) -> assertThat(
                        metrics.value("queen_dead_lettered_total", Map.of("queue", queue, "reason", reason))).as(reason)
                        .isEqualTo((double) count));
        assertThat(metrics.value("queen_dead_lettered_total", Map.of("queue", unread, "reason", "expired")))
                .isEqualTo(2);
        assertThat(metrics.value("queen_cluster_dlq_total", Map.of("scope", "cluster"))).isEqualTo(before + 8);
        assertThat(metrics.value("queen_dlq_depth_by_queue", Map.of("queue", queue))).isEqualTo(6);
        assertThat(metrics.value("queen_dlq_depth", Map.of("scope", "cluster")))
                .isEqualTo(Double.parseDouble(server.select("select count(*) from queen.dead_letter").getFirst()));
        assertThat(queen.get("/api/v1/dlq?queue=" + queue).json().get("messages")).hasSize(6)
                .extracting(each -> each.get("reason").asText()).contains("expired", "consumer");
        Await.until(() -> queen.get("/api/v1/status?queue=" + queue).json().at("/errors/dlqMessages").asInt() == 6);
        assertThat(queen.get("/api/v1/status?queue=" + queue).json().at("/deadLetterQueue/totalMessages").asInt())
                .isEqualTo(6);

        queen.delete("/api/v1/dlq?queue=" + queue);

        Exposition purged = metrics(
                exposition -> Double.valueOf(0).equals(exposition.value("queen_dead_letters", Map.of("queue", queue))));
        assertThat(purged.value("queen_dead_lettered_total", Map.of("queue", queue, "reason", "operator")))
                .as("two messages were counted").isEqualTo(2);
    }

    @Test
    void maintenanceIsReportedByAllServers() {
        queen.configure(queue, "{}");
        for (String which : List.of("push", "pop")) {
            String path = "/api/v1/system/maintenance" + (which.equals("pop") ? "/pop" : "");
            String metric = which.equals("pop")
                    ? "queen_pop_maintenance_mode_enabled"
                    : "queen_maintenance_mode_enabled";
            queen.post(path, "{\"enabled\":true}");
            try {
                Await.until(() -> queen.get("/health").json().at("/maintenance/" + which).asBoolean());
                assertThat(queen.get("/api/v1/resources/overview").json().at("/maintenance/" + which).asBoolean())
                        .isTrue();
                metrics(exposition -> Double.valueOf(1).equals(exposition.value(metric, Map.of("scope", "cluster"))));
                if (which.equals("push")) {
                    rejectPushes();
                }
            } finally {
                queen.post(path, "{\"enabled\":false}");
            }
            Await.until(() -> !queen.get("/health").json().at("/maintenance/" + which).asBoolean());
            metrics(exposition -> Double.valueOf(0).equals(exposition.value(metric, Map.of("scope", "cluster"))));
        }
    }

    /** Enables maintenance of pushes. A server without a spool rejects them. */
    private void rejectPushes() {
        Await.until(() -> other.push(queue, "a", "1").status() == 503);
        metrics(exposition -> exposition.value("queen_push_refused_total",
                Map.of("queue", queue, "reason", "maintenance")) != null
                && exposition.value("queen_push_refused_total", Map.of("queue", queue, "reason", "maintenance")) > 0);
    }

    @Test
    void alertsAndPanelsUseExistingMetrics() {
        queen.push(queue, "a", "1");
        queen.configure(queue, "{\"maxSize\":10}");
        queen.ackAll(queen.pop(queue, "consumerGroup=g"), "completed");
        Exposition metrics = metrics(exposition -> exposition.families().containsKey("queen_group_lag_messages")
                && exposition.families().containsKey("queen_queue_max_size")
                && exposition.labelsOf("queen_upkeep_last_success_timestamp_seconds") != null
                && exposition.families().containsKey("queen_servers"));

        MonitoringFiles.checkAlerts(metrics);
        MonitoringFiles.checkDashboard(metrics);
    }

    private Set<Series> seriesOf(Exposition metrics) {
        Set<Series> series = metrics.series();
        series.removeIf(each -> !queue.equals(each.labels().get("queue")));
        return series;
    }

    /** Waits until the metrics of the server match, and returns them. */
    private Exposition metrics(Predicate<Exposition> isExpected) {
        AtomicReference<Exposition> exposition = new AtomicReference<>();
        Await.until(() -> {
            exposition.set(Exposition.parse(queen.get("/metrics/prometheus").body()));
            return exposition.get().families().containsKey("queen_cluster_dlq_total")
                    && isExpected.test(exposition.get());
        });
        return exposition.get();
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }
}
