package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import io.queenmq.testkit.TestShards;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The numbers of each server and their totals. All operations are done before the first test. */
class ServerNumbersTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("METRICS_REPORT_INTERVAL_MS", "100"));

    private static QueenClient there;

    /** The connections of both servers: those to every shard and the shared ones. */
    private static final int POOL_SIZE = 4 + 8 * TestShards.COUNT;

    private final QueenClient here = server.client();

    /** Pushes three messages here and two there: two are acked, one is leased, one is dead-lettered, one is unread. */
    @BeforeAll
    static void work() {
        there = server.startAnother();
        QueenClient here = server.client();
        here.configure("orders.new", "{\"retryLimit\":0}");
        here.push("orders.new", "a", "1", "2", "3");
        there.push("orders.old", "a", "4", "5");
        Answer popped = here.pop("orders.new", "batch=3");
        here.ackEach(popped, "completed", "completed", "dlq");
        Await.until(() -> here.pop("orders.old").messages().size() == 1);
        Await.until(() -> metrics(here, "").at("/summary/totalPushMessages").asInt() == 5
                && metrics(here, "").at("/summary/totalPopMessages").asInt() == 4
                && metrics(here, "").at("/summary/totalAckMessages").asInt() == 3);
        here.post("/api/v1/stats/refresh", "");
    }

    private static JsonNode metrics(QueenClient client, String query) {
        return client.get("/api/v1/analytics/worker-metrics" + query).json();
    }

    @Test
    void theOverviewContainsAllNumbers() {
        JsonNode overview = here.get("/api/v1/resources/overview").json();

        assertThat(overview.get("queues").asInt()).isEqualTo(2);
        assertThat(overview.get("namespaces").asInt()).isEqualTo(1);
        assertThat(overview.get("tasks").asInt()).as("one queue was configured without a task").isEqualTo(1);
        assertThat(overview.at("/messages/total").asInt()).isEqualTo(5);
        assertThat(overview.at("/messages/processing").asInt()).isEqualTo(1);
        assertThat(overview.at("/messages/pending").asInt()).isEqualTo(1);
        assertThat(overview.at("/messages/completed").asInt()).isEqualTo(2);
        assertThat(overview.at("/messages/failed").asInt()).isEqualTo(1);
        assertThat(overview.at("/messages/deadLetter").asInt()).isEqualTo(1);
        assertThat(overview.at("/throughput/ingestedPerSecond").isNumber()).isTrue();
        for (String lag : List.of("/lag/time", "/lag/offset")) {
            assertThat(Answer.fieldsOf(overview.at(lag))).containsExactlyInAnyOrder("avg", "median", "min", "max");
        }
        assertThat(overview.at("/lag/offset/max").asInt()).isEqualTo(1);
        assertThat(overview.get("timestamp").asText()).endsWith("Z");
        assertThat(overview.get("statsAge").isNumber()).isTrue();
    }

    @Test
    void everyServerIsShownWithItsOperations() {
        JsonNode all = metrics(here, "");

        assertThat(all.get("workers")).hasSize(2);
        assertThat(all.get("timeSeries")).hasSize(61);
        assertThat(all.at("/summary/totalPushRequests").asInt()).isEqualTo(2);
        assertThat(all.at("/summary/totalAckRequests").asInt()).isEqualTo(1);
        assertThat(all.at("/summary/totalAckFailed").asInt()).isEqualTo(1);
        assertThat(all.at("/summary/totalDlq").asInt()).isEqualTo(1);
        assertThat(all.at("/summary/totalDbErrors").asInt()).isZero();
        assertThat(all.at("/summary/pendingMessages").asInt()).isEqualTo(2);
        assertThat(all.get("queues")).extracting(queue -> queue.get("queueName").asText() + queue.get("popCount"))
                .containsExactly("orders.new3", "orders.old1");
        assertThat(all.get("timeSeries")).extracting(point -> point.get("jobsDone").asInt()).anyMatch(done -> done > 0);

        int pushed = 0;
        for (JsonNode worker : all.get("workers")) {
            String query = "?workerId=" + worker.get("workerId").asText() + "&hostname="
                    + worker.get("hostname").asText();
            pushed += metrics(here, query).at("/summary/totalPushMessages").asInt();
            assertThat(metrics(here, query).get("workers")).hasSize(1);
        }
        assertThat(pushed).isEqualTo(5);
    }

    @Test
    void everyServerReportsItsResources() {
        Await.until(() -> here.get("/api/v1/analytics/system-metrics").json()
                .at("/replicas/0/timeSeries/0/metrics/memory/rss_bytes/last").asLong() > 0);
        JsonNode system = here.get("/api/v1/analytics/system-metrics").json();

        assertThat(system.get("replicaCount").asInt()).isEqualTo(2);
        JsonNode point = system.at("/replicas/0/timeSeries/0");
        assertThat(point.get("sampleCount").asInt()).isPositive();
        assertThat(Answer.fieldsOf(point.get("metrics"))).containsExactlyInAnyOrder("cpu", "memory", "database",
                "threadpool", "registries", "shared_state");
        assertThat(point.at("/metrics/database/pool_size/last").asInt()).isEqualTo(POOL_SIZE);
        assertThat(Answer.fieldsOf(point.at("/metrics/cpu/user_us"))).containsExactlyInAnyOrder("avg", "min", "max",
                "last");
    }

    @Test
    void theStatusShowsServersAndLeases() {
        Await.until(() -> here.get("/api/v1/status").json().at("/leases/active").asInt() == 1);
        JsonNode status = there.get("/api/v1/status").json();

        assertThat(status.at("/leases/partitionsWithLeases").asInt()).isEqualTo(1);
        assertThat(status.at("/leases/totalBatchSize").asInt()).isEqualTo(1);
        assertThat(status.get("workers")).hasSize(2)
                .allSatisfy(worker -> assertThat(Answer.fieldsOf(worker)).contains("hostname", "workerId",
                        "avgEventLoopLagMs", "maxEventLoopLagMs", "freeSlots", "dbConnections", "jobQueueSize",
                        "messagesProcessed"));
        assertThat(status.at("/throughput/0/dbPoolSize").asInt() + status.at("/throughput/1/dbPoolSize").asInt())
                .isPositive();
        assertThat(status.at("/deadLetterQueue/topErrors/0/count").asInt()).isEqualTo(1);
    }

    @Test
    void postgresNumbersIncludeTablesAndLongTransactions() throws Exception {
        try (var connection = server.database().connect(); var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 42 as a_long_transaction");
            Await.until(() -> here.get("/api/v1/analytics/postgres-stats").json().get("longTransactions").size() > 0);
        }
        JsonNode stats = here.get("/api/v1/analytics/postgres-stats").json();

        assertThat(Answer.fieldsOf(stats)).containsExactlyInAnyOrder("timestamp", "database", "databaseCache",
                "tableCache", "indexCache", "cacheSummary", "deadTuples", "hotUpdates", "activeQueries",
                "autovacuumStatus", "bufferConfig", "bufferUsage", "tableSizes", "longTransactions");
        assertThat(stats.get("tableSizes")).extracting(table -> table.get("table").asText()).contains("segment",
                "cursor", "partition");
        assertThat(stats.at("/bufferConfig/sharedBuffers").asInt()).isPositive();
        assertThat(stats.get("bufferUsage")).isEmpty();
    }

    @Test
    void serversAreListedUnderThreeRoutes() {
        for (String path : List.of("/api/v1/system/shared-state", "/internal/api/shared-state/stats",
                "/internal/api/inter-instance/stats")) {
            Await.until(() -> here.get(path).json().at("/server_health/servers_alive").asInt() == 2);
            JsonNode state = here.get(path).json();
            assertThat(state.at("/queue_config_cache/size").asInt()).isEqualTo(2);
            assertThat(state.get("enabled").asBoolean()).isFalse();
            assertThat(state.get("server_id").asText()).contains("worker-");
        }
    }

    @Test
    void aServerIsCountedByItsIdentityAndNotAfterItsStop() {
        server.startAnother();
        Await.until(() -> counted("servers_alive") == 3);
        server.stopLast();
        Await.until(() -> counted("servers_tracked") == 2);

        String columns = "insert into queen.server (id, hostname, port, worker_id, pid, started_at, seen_at, report)";
        server.update(columns + " select gen_random_uuid(), hostname, port, worker_id, pid, now() - interval '1 hour',"
                + " now() - interval '1 minute', 5 from queen.server order by seen_at desc limit 1");
        server.update(
                columns + " select gen_random_uuid(), 'host', 1, 'killed', 1, now(), now() - interval '16 seconds', 5");
        Await.until(() -> counted("servers_dead") == 1);
        assertThat(counted("servers_alive")).isEqualTo(2);
        assertThat(counted("servers_tracked")).isEqualTo(3);
        server.update("delete from queen.server where worker_id = 'killed'");
    }

    private int counted(String field) {
        return here.get("/api/v1/system/shared-state").json().at("/server_health/" + field).asInt();
    }

    @Test
    void theSpoolIsEmpty() {
        JsonNode buffers = here.get("/api/v1/status/buffers").json();

        assertThat(buffers.get("pending").asInt()).isZero();
        assertThat(buffers.get("failed").asInt()).isZero();
        assertThat(buffers.get("dbHealthy").asBoolean()).isTrue();
        assertThat(buffers.get("worker").asText()).startsWith("worker-");
    }

    @Test
    void prometheusMetricsContainTheTotalsOfAllServers() {
        AtomicReference<String> exposition = new AtomicReference<>();
        // Numbers of the database are added later, or omitted if their query takes long.
        Await.until(() -> {
            exposition.set(there.get("/metrics/prometheus").body());
            return exposition.get().contains("queen_cluster_ack_total{scope=\"cluster\",result=\"failed\"} 1");
        });
        String text = exposition.get();

        assertThat(text).contains("queen_cluster_push_messages_total{scope=\"cluster\"} 5\n",
                "queen_cluster_pop_messages_total{scope=\"cluster\"} 4\n",
                "queen_cluster_ack_total{scope=\"cluster\",result=\"success\"} 2\n",
                "queen_cluster_dlq_total{scope=\"cluster\"} 1\n", "queen_dlq_depth{scope=\"cluster\"} 1\n",
                "queen_dlq_depth_by_queue{queue=\"orders.new\"} 1\n", "queen_db_pool_size " + POOL_SIZE + ".0");
        assertThat(text.lines().filter(line -> !line.startsWith("#")).map(line -> line.split("[ {]")[0])).contains(
                "queen_uptime_seconds", "queen_cpu_user_microseconds_total", "queen_cpu_system_microseconds_total",
                "queen_process_resident_memory_bytes", "queen_process_virtual_memory_bytes", "queen_db_pool_idle",
                "queen_db_pool_active", "queen_sidecar_op_count", "queen_sidecar_op_latency_microseconds",
                "queen_sidecar_op_items", "queen_queue_backoff_groups");
        Await.until(() -> here.get("/metrics").json().at("/totals/pushMessages").asInt() == 5);
    }
}
