package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes of queues, namespaces and tasks that dashboards use. */
class ResourcesTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("STATS_INTERVAL_MS", "200"));

    private final QueenClient queen = server.client();
    private final String queue = "shop" + System.nanoTime() + ".orders." + server.newQueue();

    @Test
    void queuesAreListedNewestFirstWithTheirOptionsAndDepths() {
        queen.configure(queue, "{\"priority\":7,\"leaseTime\":60,\"maxSize\":500}");
        queen.push(queue, "a", "1", "2", "3");
        queen.push(queue, "b", "4");
        queen.popPartition(queue, "a");
        refresh();

        JsonNode first = queen.get("/api/v1/resources/queues?limit=1").json().get("queues").get(0);

        assertThat(first.get("name").asText()).isEqualTo(queue);
        assertThat(first.get("partitions").asInt()).isEqualTo(3);
        assertThat(first.get("partitionCount").asInt()).isEqualTo(3);
        assertThat(first.get("messages").toString())
                .isEqualTo("{\"total\":4,\"pending\":3,\"processing\":1,\"deadLetter\":0}");
        assertThat(first.get("priority").asInt()).isEqualTo(7);
        assertThat(first.get("leaseTime").asInt()).isEqualTo(60);
        assertThat(first.get("retryLimit").asInt()).isEqualTo(3);
        assertThat(first.get("maxSize").asInt()).isEqualTo(500);
        assertThat(first.get("encryptionEnabled").asBoolean()).isFalse();
        assertThat(first.get("paused").asBoolean()).isFalse();
        assertThat(first.get("createdAt").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        JsonNode second = queen.get("/api/v1/resources/queues?limit=1&offset=1").json().get("queues");
        assertThat(second).noneMatch(each -> each.get("name").asText().equals(queue));
    }

    @Test
    void aQueueShowsItsPartitionsWithCurrentTotals() {
        queen.push(queue, "a", "1", "2", "3");
        queen.push(queue, "b", "4");
        Answer held = queen.popPartition(queue, "a", "batch=2");
        queen.ackEach(held, "completed");

        JsonNode shown = queen.get("/api/v1/resources/queues/" + queue).json();

        assertThat(shown.get("namespace").asText()).startsWith("shop");
        assertThat(shown.get("task").asText()).isEqualTo("orders");
        assertThat(shown.get("options")).isEqualTo(queen.configure(queue, "{}").json().get("options"));
        assertThat(shown.get("partitions")).hasSize(2);
        JsonNode partition = shown.get("partitions").get(0);
        assertThat(partition.get("stats").toString()).isEqualTo(
                "{\"total\":3,\"pending\":1,\"processing\":1,\"completed\":1," + "\"failed\":0,\"deadLetter\":0}");
        assertThat(partition.get("oldestMessage").asText()).endsWith("Z");
        assertThat(partition.get("newestMessage").asText()).endsWith("Z");
        assertThat(shown.get("totals").toString()).isEqualTo(
                "{\"total\":4,\"pending\":2,\"processing\":1,\"completed\":1," + "\"failed\":0,\"deadLetter\":0}");
        assertThat(queen.get("/api/v1/resources/queues/no-such-queue").status()).isEqualTo(404);
    }

    @Test
    void aQueueShowsAllItsOptionsLikeTheResponseOfConfigure() {
        JsonNode configured = queen.configure(queue, "{\"leaseTime\":61,\"dedupWindowSeconds\":77}").json();
        JsonNode byDefault = queen.configure(queue + "-plain", "{}").json();

        assertThat(queen.get("/api/v1/resources/queues/" + queue).json().get("options"))
                .isEqualTo(configured.get("options"));
        assertThat(queen.get("/api/v1/resources/queues/" + queue + "-plain").json().get("options"))
                .isEqualTo(byDefault.get("options"));
    }

    @Test
    void namespacesAndTasksSumTheirQueues() {
        String namespace = queue.substring(0, queue.indexOf('.'));
        queen.push(namespace + ".t1.x", "a", "1", "2");
        queen.push(namespace + ".t2.x", "a", "3");
        queen.pop(namespace + ".t2.x", "autoAck=true");
        refresh();

        JsonNode summed = find(queen.get("/api/v1/resources/namespaces").json().get("namespaces"), "namespace",
                namespace);

        assertThat(summed.get("queues").asInt()).isEqualTo(2);
        assertThat(summed.get("partitions").asInt()).isEqualTo(2);
        assertThat(summed.get("messages").toString()).isEqualTo("{\"total\":3,\"pending\":2}");
        assertThat(find(queen.get("/api/v1/resources/tasks").json().get("tasks"), "task", "t1").get("queues").asInt())
                .isEqualTo(1);
    }

    @Test
    void sumsAreRefreshedPeriodically() {
        queen.push(queue, "a", "1", "2");

        Await.until(() -> find(queen.get("/api/v1/resources/queues").json().get("queues"), "name", queue)
                .get("messages").get("pending").asInt() == 2);
        queen.pop(queue, "autoAck=true");
        Await.until(() -> find(queen.get("/api/v1/resources/queues").json().get("queues"), "name", queue)
                .get("messages").get("pending").asInt() == 1);
    }

    private static JsonNode find(JsonNode list, String field, String value) {
        for (JsonNode each : list) {
            if (each.get(field).asText().equals(value)) {
                return each;
            }
        }
        throw new AssertionError(value + " is not listed");
    }

    private void refresh() {
        assertThat(queen.post("/api/v1/stats/refresh", "").status()).isEqualTo(200);
    }
}
