package io.queenmq.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests of operators on a Citus cluster. */
class CitusOperatorsTest extends CitusOperations {
    @Test
    void failedMessagesAreRetriedDeadLetteredAndRedriven() {
        String queue = newQueue(
                Map.of("retryLimit", 1, "retryDelay", 0, "deadLetterQueue", true, "dlqAfterMaxRetries", true));
        queen().push(queue, "partition", List.of("bad"));
        fail(queue, "first");
        fail(queue, "second");

        JsonNode dead = get("/api/v1/dlq?queue=" + queue);
        assertThat(dead.get("total").asInt()).isOne();
        assertThat(dead.at("/messages/0/errorMessage").asText()).isEqualTo("second");
        String partition = dead.at("/messages/0/partitionId").asText();
        assertThat(get("/api/v1/dlq/errors?queue=" + queue).at("/errors/0/count").asInt()).isOne();
        assertThat(get("/api/v1/dlq/" + partition + "/bad").get("transactionId").asText()).isEqualTo("bad");
        assertThat(post("/api/v1/dlq/redrive", Map.of("queue", queue, "dryRun", true)).get("total").asInt()).isOne();
        post("/api/v1/messages/" + partition + "/bad/retry", Map.of());
        fail(queue, "third");
        fail(queue, "fourth");
        post("/api/v1/dlq/redrive", Map.of("queue", queue));
        drain(queue, "workers", 1);

        queen().push(queue, "partition", List.of("dead"));
        assertThat(queen().pop(queue, "partition", "workers", "batch=1").messages()).hasSize(1);
        post("/api/v1/messages/" + partition + "/dead/dlq", Map.of("consumerGroup", "workers"));
        assertThat(delete("/api/v1/dlq?queue=" + queue).get("purged").asInt()).isOne();
    }

    @Test
    void groupsBeginAtTheirStartPositionAndOperatorsSeekThem() throws InterruptedException {
        String queue = newQueue(Map.of());
        pushToAll(queue, "early");
        assertThat(queen().pop(queue, null, "late", "subscriptionMode=new").messages()).isEmpty();
        pushToAll(queue, "later");
        assertThat(drain(queue, "late", 12)).allMatch(m -> m.transactionId().startsWith("later"));
        String group = "/api/v1/consumer-groups/late/queues/" + queue;

        post(group + "/seek", Map.of("toBeginning", true));
        Thread.sleep(1500);
        assertThat(drain(queue, "late", 24)).hasSize(24);
        post(group + "/seek", Map.of("timestamp", "2020-01-01T00:00:00Z"));
        post(group + "/seek", Map.of("toEnd", true));
        post(group + "/partitions/partition-03/seek", Map.of("toBeginning", true));
        assertThat(post(group + "/partitions/partition-03/skip", Map.of()).get("skippedOffset").asInt()).isZero();
        for (String change : List.of("pause", "resume")) {
            post(group + "/" + change, Map.of());
            post("/api/v1/resources/queues/" + queue + "/" + change, Map.of());
        }
        assertThat(get("/api/v1/consumer-groups/late").at("/" + queue + "/partitions").size())
                .isGreaterThanOrEqualTo(12);
        post("/api/v1/consumer-groups/late/subscription", Map.of("subscriptionTimestamp", "2020-01-01T00:00:00Z"));
        delete("/api/v1/consumer-groups/late/queues/" + queue);
    }

    @Test
    void messagesAreShownExplainedTracedAndRemoved() {
        String queue = newQueue(Map.of());
        pushToAll(queue, "m");
        assertThat(get("/api/v1/messages?queue=" + queue).get("messages")).hasSize(12);
        assertThat(get("/api/v1/messages?queue=" + queue + "&status=pending&partition=partition-05").get("messages"))
                .hasSize(1);
        assertThat(get("/api/v1/status/queues/" + queue + "/messages").toString()).contains("m-partition-11");
        JsonNode message = get("/api/v1/messages?queue=" + queue + "&partition=partition-05").at("/messages/0");
        String partition = message.get("partitionId").asText();
        String path = partition + "/" + message.get("transactionId").asText();

        assertThat(get("/api/v1/messages/" + path).get("payload").asText()).isEqualTo("m-partition-05");
        assertThat(get("/api/v1/explain/" + partition).get("state").asText()).isEqualTo("ready");
        assertThat(get("/api/v1/explain/" + path + "?consumerGroup=never").get("state").asText())
                .isEqualTo("unsubscribed");
        post("/api/v1/traces", Map.of("transactionId", "m-partition-05", "partitionId", partition, "eventType", "info",
                "data", Map.of("a", 1), "traceNames", List.of("trace-" + queue)));
        assertThat(get("/api/v1/traces/by-name/trace-" + queue).at("/traces/0/partition_name").asText())
                .isEqualTo("partition-05");
        assertThat(get("/api/v1/traces/" + path).get("traces")).hasSize(1);
        assertThat(delete("/api/v1/messages/" + path).get("success").asBoolean()).isTrue();
        assertThat(get("/api/v1/explain/" + path).get("state").asText()).isEqualTo("removed");
        post("/api/v1/partitions/" + partition + "/pause", Map.of());
        assertThat(get("/api/v1/partitions/" + partition).get("paused").asBoolean()).isTrue();
        post("/api/v1/partitions/" + partition + "/resume", Map.of());
        delete("/api/v1/queues/" + queue + "/clear");
        delete("/api/v1/resources/queues/" + queue);
        assertThat(OnCitus.number(coordinator(), "select count(*) from queen.partition where id = '" + partition + "'"))
                .isZero();
    }

    @Test
    void everyPageOfNumbersIsAnswered() throws IOException, InterruptedException {
        String queue = newQueue(Map.of());
        pushToAll(queue, "m");
        drain(queue, "workers", 12);
        post("/api/v1/stats/refresh", Map.of());
        for (String path : List.of("consumer-groups", "consumer-groups/lagging?minLagSeconds=0", "resources/partitions",
                "resources/queues", "resources/namespaces", "resources/tasks", "resources/overview", "status",
                "status/analytics", "status/queues", "status/buffers", "analytics/system-metrics",
                "analytics/worker-metrics", "analytics/queue-lag", "analytics/queue-ops",
                "analytics/queue-parked-replicas", "analytics/retention", "analytics/postgres-stats",
                "analytics/shards", "system/maintenance", "system/spool", "system/audit")) {
            get("/api/v1/" + path);
        }
        assertThat(get("/api/v1/resources/queues/" + queue).get("partitions").findValuesAsText("name"))
                .containsAll(PARTITIONS);
        assertThat(get("/api/v1/status/queues/" + queue).get("partitions").findValuesAsText("name"))
                .containsAll(PARTITIONS);
        JsonNode page = get("/api/v1/resources/queues/" + queue + "/partitions?limit=5");
        assertThat(page.get("partitions")).hasSize(5);
        assertThat(page.get("next").asText()).isNotEmpty();
        get("/api/v1/resources/queues/" + queue + "/partitions?sort=lag");
        try (HttpClient plain = HttpClient.newHttpClient()) {
            var metrics = plain.send(HttpRequest.newBuilder(URI.create(url() + "/metrics/prometheus")).build(),
                    BodyHandlers.ofString());
            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.body()).contains("queen_queue_depth");
        }
        for (boolean isOn : new boolean[]{true, false}) {
            post("/api/v1/system/maintenance", Map.of("enabled", isOn));
            post("/api/v1/system/maintenance/pop", Map.of("enabled", isOn));
        }
    }

    private void fail(String queue, String error) {
        Map<String, String> failed = new HashMap<>(popOne(queue, "workers").ack("failed"));
        failed.put("error", error);
        assertThat(queen().ack("workers", List.of(failed)).isOk()).isTrue();
    }
}
