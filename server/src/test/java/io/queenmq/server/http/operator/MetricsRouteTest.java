package io.queenmq.server.http.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queenmq.server.http.TestApi;
import io.queenmq.server.operator.OperatorOutcome;
import java.net.http.HttpResponse;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class MetricsRouteTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void requestsMessagesAndErrorsAreCountedByOperation() throws Exception {
        try (TestApi api = new TestApi()) {
            api.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"payload\":1},{\"queue\":\"q\",\"payload\":2}]}");
            api.post("/api/v1/push", "{");

            JsonNode push = JSON.readTree(api.get("/metrics").body()).get("operations").get("push");

            assertThat(push.get("count").asInt()).isEqualTo(2);
            assertThat(push.get("errors").asInt()).isEqualTo(1);
            assertThat(push.get("items").asInt()).isEqualTo(2);
            assertThat(push.get("maxMs").asDouble()).isPositive();
        }
    }

    @Test
    void theJsonHasTheSectionsThatDashboardsRead() throws Exception {
        try (TestApi api = new TestApi()) {
            JsonNode metrics = JSON.readTree(api.get("/metrics").body());

            assertThat(StreamSupport.stream(((Iterable<String>) metrics::fieldNames).spliterator(), false))
                    .contains("uptime", "requests", "messages", "database", "memory", "cpu");
            assertThat(metrics.get("database").has("poolSize")).isTrue();
            assertThat(metrics.get("database").has("idleConnections")).isTrue();
            assertThat(metrics.get("database").has("waitingRequests")).isTrue();
        }
    }

    @Test
    void prometheusMetricsHaveTheTextFormat() throws Exception {
        try (TestApi api = new TestApi()) {
            api.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\",\"payload\":1}]}");

            HttpResponse<String> answer = api.get("/metrics/prometheus");

            assertThat(answer.headers().firstValue("content-type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(answer.headers().firstValue("cache-control")).hasValue("no-cache");
            assertThat(answer.body()).contains("queen_request_seconds_count{op=\"push\"} 1");
        }
    }

    @Test
    void databaseTotalsAreAddedAndQueriedOnce() throws Exception {
        try (TestApi api = new TestApi()) {
            api.operatorOutcome = new OperatorOutcome.Document("queen_cluster_push_requests_total 5\n");

            long startNs = System.nanoTime();
            assertThat(api.get("/metrics/prometheus").body()).endsWith("queen_cluster_push_requests_total 5\n");
            for (int i = 0; i < 20; i++) {
                api.get("/metrics/prometheus");
            }

            long halves = (System.nanoTime() - startNs) / 500_000_000;
            assertThat(api.operatorCalls).as("once in half a second").hasSizeLessThanOrEqualTo(1 + (int) halves);
        }
    }

    @Test
    void databaseTotalsAreOmittedWhileTheDatabaseIsUnavailable() throws Exception {
        try (TestApi api = new TestApi()) {
            api.operatorOutcome = new OperatorOutcome.Missing();

            assertThat(api.get("/metrics/prometheus").statusCode()).isEqualTo(200);
            assertThat(api.get("/metrics/prometheus").body()).doesNotContain("queen_cluster_");
            assertThat(JSON.readTree(api.get("/metrics").body()).has("totals")).isFalse();
        }
    }
}
