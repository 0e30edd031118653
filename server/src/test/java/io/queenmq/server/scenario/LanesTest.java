package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lanes as operators see them: lists, one lane, and why a message is not delivered. */
class LanesTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aLaneIsListedWithItsDepthHolderAndState() {
        queen.push(queue, "a", "1", "2", "3");
        Answer held = queen.pop(queue);

        JsonNode lane = lanes("?queue=" + queue + "&search=A").getFirst();

        assertThat(lane.get("partition").asText()).isEqualTo("a");
        assertThat(lane.get("queue").asText()).isEqualTo(queue);
        assertThat(lane.get("state").asText()).isEqualTo("leased");
        assertThat(lane.get("leaseId").asText()).isEqualTo(held.leaseId());
        assertThat(lane.get("offsetLag").asInt()).isEqualTo(3);
        assertThat(lane.get("messages").toString()).isEqualTo("{\"total\":3,\"pending\":2,\"processing\":1}");
        assertThat(lane.get("consumerGroup").asText()).isEqualTo("__QUEUE_MODE__");
    }

    @Test
    void listsGoOnWhereThePageBeforeEnded() {
        for (int i = 0; i < 7; i++) {
            queen.push(queue, "lane-" + i, "1");
        }
        List<String> names = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = queen.get("/api/v1/resources/queues/" + queue + "/partitions?limit=3" + after).json();
            page.get("partitions").forEach(lane -> names.add(lane.get("name").asText()));
            after = page.get("next").isNull() ? null : "&after=" + QueenClient.encode(page.get("next").asText());
        } while (after != null);

        assertThat(names).containsExactly("lane-0", "lane-1", "lane-2", "lane-3", "lane-4", "lane-5", "lane-6");
        assertThat(lanes("?queue=" + queue + "&search=-5")).hasSize(1);
        assertThat(queen.get("/api/v1/resources/partitions?limit=2").json().get("partitions")).hasSize(2);
        assertThat(queen.get("/api/v1/resources/partitions?after=x").status()).isEqualTo(400);
        assertThat(queen.get("/api/v1/resources/partitions?queue=no-such-queue").status()).isEqualTo(404);
    }

    @Test
    void theDeepestLanesComeFirstWhenWanted() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "1", "2", "3");
        queen.push(queue, "c", "1", "2");
        queen.post("/api/v1/stats/refresh", "");

        assertThat(lanes("?queue=" + queue + "&sort=lag")).extracting(lane -> lane.get("name").asText())
                .containsExactly("b", "c", "a");
    }

    @Test
    void oneLaneShowsEveryGroup() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        queen.pop(queue, "consumerGroup=first", "autoAck=true");
        queen.ackAll(queen.pop(queue, "consumerGroup=second"), "failed");

        JsonNode lane = queen.get("/api/v1/partitions/" + id("a")).json();

        assertThat(lane.get("groups")).hasSize(2);
        assertThat(lane.get("groups").get(0).get("offset").asInt()).isEqualTo(1);
        JsonNode second = lane.get("groups").get(1);
        assertThat(second.get("attempts").asInt()).isEqualTo(1);
        assertThat(second.get("state").asText()).isEqualTo("retrying");
        assertThat(second.get("retryAt").asText()).endsWith("Z");
        assertThat(queen.get("/api/v1/partitions/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(queen.get("/api/v1/partitions/nonsense").status()).isEqualTo(400);
    }

    @Test
    void whyAMessageIsNotDeliveredIsExplained() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        assertThat(explain("", "g").get("state").asText()).isEqualTo("unsubscribed");
        Answer held = queen.pop(queue, "consumerGroup=g", "batch=2");
        assertThat(explain("", "g").get("leaseId").asText()).isEqualTo(held.leaseId());

        queen.ackEach(held, "failed");

        JsonNode lane = explain("", "g");
        assertThat(lane.get("state").asText()).isEqualTo("retrying");
        assertThat(lane.get("attempts").asInt()).isEqualTo(1);
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

    private List<JsonNode> lanes(String query) {
        List<JsonNode> lanes = new ArrayList<>();
        queen.get("/api/v1/resources/partitions" + query).json().get("partitions").forEach(lanes::add);
        return lanes;
    }

    private String id(String lane) {
        return server.select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.name = ?", queue, lane).getFirst();
    }
}
