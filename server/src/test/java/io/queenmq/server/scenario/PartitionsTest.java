package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes by which operators list and show partitions, and explain the delivery of a message. */
class PartitionsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aPartitionIsListedWithItsDepthLeaseAndState() {
        queen.push(queue, "a", "1", "2", "3");
        Answer held = queen.pop(queue);

        JsonNode partition = partitions("?queue=" + queue + "&search=A").getFirst();

        assertThat(partition.get("partition").asText()).isEqualTo("a");
        assertThat(partition.get("queue").asText()).isEqualTo(queue);
        assertThat(partition.get("state").asText()).isEqualTo("leased");
        assertThat(partition.get("leaseId").asText()).isEqualTo(held.leaseId());
        assertThat(partition.get("offsetLag").asInt()).isEqualTo(3);
        assertThat(partition.get("messages").toString()).isEqualTo("{\"total\":3,\"pending\":2,\"processing\":1}");
        assertThat(partition.get("consumerGroup").asText()).isEqualTo("__QUEUE_MODE__");
    }

    @Test
    void aPageContinuesAfterThePreviousPage() {
        for (int i = 0; i < 7; i++) {
            queen.push(queue, "partition-" + i, "1");
        }
        List<String> names = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = queen.get("/api/v1/resources/queues/" + queue + "/partitions?limit=3" + after).json();
            page.get("partitions").forEach(partition -> names.add(partition.get("name").asText()));
            after = page.get("next").isNull() ? null : "&after=" + QueenClient.encode(page.get("next").asText());
        } while (after != null);

        assertThat(names).containsExactly("partition-0", "partition-1", "partition-2", "partition-3", "partition-4",
                "partition-5", "partition-6");
        assertThat(partitions("?queue=" + queue + "&search=-5")).hasSize(1);
        assertThat(queen.get("/api/v1/resources/partitions?limit=2").json().get("partitions")).hasSize(2);
        assertThat(queen.get("/api/v1/resources/partitions?after=x").status()).isEqualTo(400);
        assertThat(queen.get("/api/v1/resources/partitions?queue=no-such-queue").status()).isEqualTo(404);
    }

    @Test
    void partitionsCanBeSortedByDepth() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "1", "2", "3");
        queen.push(queue, "c", "1", "2");
        queen.post("/api/v1/stats/refresh", "");

        assertThat(partitions("?queue=" + queue + "&sort=lag")).extracting(partition -> partition.get("name").asText())
                .containsExactly("b", "c", "a");
    }

    @Test
    void onePartitionShowsEveryGroup() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        queen.pop(queue, "consumerGroup=first", "autoAck=true");
        queen.ackAll(queen.pop(queue, "consumerGroup=second"), "failed");

        JsonNode partition = queen.get("/api/v1/partitions/" + id("a")).json();

        assertThat(partition.get("groups")).hasSize(2);
        assertThat(partition.get("groups").get(0).get("offset").asInt()).isEqualTo(1);
        JsonNode second = partition.get("groups").get(1);
        assertThat(second.get("attempts").asInt()).isEqualTo(1);
        assertThat(second.get("state").asText()).isEqualTo("retrying");
        assertThat(second.get("retryAt").asText()).endsWith("Z");
        assertThat(queen.get("/api/v1/partitions/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(queen.get("/api/v1/partitions/nonsense").status()).isEqualTo(400);
    }

    @Test
    void explainReturnsTheReasonWhyAMessageIsNotDelivered() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        assertThat(explain("", "g").get("state").asText()).isEqualTo("unsubscribed");
        Answer held = queen.pop(queue, "consumerGroup=g", "batch=2");
        assertThat(explain("", "g").get("leaseId").asText()).isEqualTo(held.leaseId());

        queen.ackEach(held, "failed");

        JsonNode partition = explain("", "g");
        assertThat(partition.get("state").asText()).isEqualTo("retrying");
        assertThat(partition.get("attempts").asInt()).isEqualTo(1);
        JsonNode second = explain("/2", "g");
        assertThat(second.get("state").asText()).isEqualTo("behind");
        assertThat(second.get("ahead").asInt()).isEqualTo(1);
        assertThat(second.get("blockedBy").get("state").asText()).isEqualTo("retrying");
        assertThat(explain("", "__QUEUE_MODE__").get("state").asText()).isEqualTo("ready");
        assertThat(queen.get("/api/v1/explain/" + id("a") + "/3").status()).isEqualTo(404);
    }

    private JsonNode explain(String message, String group) {
        return queen.get("/api/v1/explain/" + id("a") + message + "?consumerGroup=" + group).json();
    }

    private List<JsonNode> partitions(String query) {
        List<JsonNode> partitions = new ArrayList<>();
        queen.get("/api/v1/resources/partitions" + query).json().get("partitions").forEach(partitions::add);
        return partitions;
    }

    private String id(String partition) {
        return server.select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.name = ?", queue, partition).getFirst();
    }
}
