package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What operators see of groups, and how they change or delete them. */
class GroupsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();
    private final String group = "group of " + queue;
    private final String path = "/api/v1/consumer-groups/" + QueenClient.encode(group);
    private final String asGroup = "consumerGroup=" + QueenClient.encode(group);

    @Test
    void everyGroupIsListedWithItsQueueAndHowFarItIsBehind() {
        queen.push(queue, "a", "1", "2", "3");
        queen.push(queue, "b", "1");
        queen.pop(queue, asGroup, "batch=9", "autoAck=true");
        queen.popLane(queue, "a", "autoAck=true");
        server.age(queue, 400);
        refresh();

        JsonNode listed = listed(group);
        assertThat(listed.get("topics").get(0).asText()).isEqualTo(queue);
        assertThat(listed.get("members").asInt()).as("lanes it has come to, or will").isEqualTo(2);
        assertThat(listed.get("subscriptionMode").asText()).isEqualTo("all");
        assertThat(listed.get("subscriptionCreatedAt").asText()).endsWith("Z");
        assertThat(listed.get("paused").asBoolean()).isFalse();
        JsonNode competing = listed("__QUEUE_MODE__");
        assertThat(competing.get("totalLag").asInt()).isEqualTo(2);
        assertThat(competing.get("partitionsWithLag").asInt()).isEqualTo(1);
        assertThat(competing.get("maxTimeLag").asInt()).isGreaterThanOrEqualTo(400);
        assertThat(competing.get("state").asText()).isEqualTo("Lagging");
    }

    @Test
    void aGroupThatAskedAndHasNothingYetIsListedToo() {
        queen.pop(queue, asGroup, "subscriptionMode=new");

        assertThat(listed(group).get("subscriptionMode").asText()).isEqualTo("new");
        assertThat(listed(group).get("state").asText()).isEqualTo("Dead");
        assertThat(listed(group).get("members").asInt()).isZero();
    }

    @Test
    void aGroupShowsHowItStandsInEachLane() {
        queen.push(queue, "a", "1", "2", "3");
        queen.pop(queue, asGroup, "autoAck=true");
        Answer held = queen.pop(queue, asGroup);

        JsonNode lane = queen.get(path).json().get(queue).get("partitions").get(0);

        assertThat(lane.get("partition").asText()).isEqualTo("a");
        assertThat(lane.get("workerId").asText()).isEqualTo(held.leaseId());
        assertThat(lane.get("totalConsumed").asInt()).isEqualTo(1);
        assertThat(lane.get("offsetLag").asInt()).isEqualTo(2);
        assertThat(lane.get("timeLagSeconds").isIntegralNumber()).isTrue();
        assertThat(lane.get("leaseActive").asBoolean()).isTrue();
        assertThat(lane.get("lastConsumedAt").asText()).endsWith("Z");
        assertThat(queen.get("/api/v1/consumer-groups/nobody").body()).isEqualTo("{}");
    }

    @Test
    void laggingShowsOnlyThoseWhoAreFurtherBehindThanAsked() {
        queen.push(queue, "a", "1");
        queen.pop(queue, asGroup);
        server.age(queue, 7200);
        refresh();

        List<JsonNode> lagging = lagging(3600);

        assertThat(lagging).hasSize(1);
        assertThat(lagging.getFirst().get("queue_name").asText()).isEqualTo(queue);
        assertThat(lagging.getFirst().get("partition_name").asText()).isEqualTo("a");
        assertThat(lagging.getFirst().get("offset_lag").asInt()).isEqualTo(1);
        assertThat(lagging.getFirst().get("time_lag_seconds").asInt()).isGreaterThanOrEqualTo(7200);
        assertThat(lagging.getFirst().get("lag_hours").asDouble()).isGreaterThanOrEqualTo(2);
        assertThat(lagging.getFirst().get("oldest_unconsumed_at").asText()).endsWith("Z");
        assertThat(lagging(10_000)).isEmpty();
    }

    @Test
    void aDeletedGroupBeginsAnew() {
        queen.push(queue, "a", "1", "2");
        Answer held = queen.pop(queue, asGroup, "subscriptionMode=all");

        Answer deleted = queen.delete(path);

        assertThat(deleted.json().get("deletedPartitions").asInt()).isEqualTo(1);
        assertThat(deleted.json().get("metadataDeleted").asBoolean()).isTrue();
        assertThat(queen.ack(held.message(), "completed").get("success").asBoolean()).isFalse();
        assertThat(queen.pop(queue, asGroup, "subscriptionMode=new").isEmpty()).isTrue();
        queen.push(queue, "a", "3");
        assertThat(queen.pop(queue, asGroup, "batch=9").transactionIds()).containsExactly("3");
    }

    @Test
    void aGroupDeletedWithoutItsSubscriptionBeginsWhereThatSays() {
        queen.push(queue, "a", "old");
        queen.pop(queue, asGroup, "subscriptionMode=new");
        queen.push(queue, "a", "new");
        queen.pop(queue, asGroup, "autoAck=true");

        Answer deleted = queen.delete(path + "/queues/" + queue + "?deleteMetadata=false");

        assertThat(deleted.json().get("queueName").asText()).isEqualTo(queue);
        assertThat(deleted.json().get("metadataDeleted").asBoolean()).isFalse();
        assertThat(queen.pop(queue, asGroup, "subscriptionMode=all", "batch=9").transactionIds())
                .containsExactly("new");
        assertThat(queen.delete(path + "/queues/no-such-queue").status()).isEqualTo(404);
    }

    @Test
    void aChangedSubscriptionCountsForLanesTheGroupHasNotComeTo() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");
        server.age(queue, 3600);
        queen.push(queue, "b", "3");
        queen.popLane(queue, "a", asGroup);
        String moment = Instant.now().minusSeconds(600).toString();

        Answer changed = queen.post(path + "/subscription", "{\"subscriptionTimestamp\":\"" + moment + "\"}");

        assertThat(changed.json().get("rowsUpdated").asInt()).isEqualTo(1);
        assertThat(changed.json().get("newTimestamp").asText()).endsWith("Z");
        assertThat(queen.popLane(queue, "b", asGroup, "batch=9").transactionIds()).containsExactly("3");
        assertThat(queen.post(path + "/subscription", "{}").status()).isEqualTo(400);
        assertThat(server.select("select count(*) from queen.audit where target = ?", "group " + group))
                .containsExactly("1");
    }

    private JsonNode listed(String name) {
        return queen.get("/api/v1/consumer-groups").list().stream()
                .filter(each -> each.get("name").asText().equals(name) && each.get("queueName").asText().equals(queue))
                .findFirst().orElseThrow();
    }

    private List<JsonNode> lagging(int seconds) {
        return queen.get("/api/v1/consumer-groups/lagging?minLagSeconds=" + seconds).list().stream()
                .filter(each -> each.get("consumer_group").asText().equals(group)).toList();
    }

    private void refresh() {
        assertThat(queen.post("/api/v1/stats/refresh", "").json().get("success").asBoolean()).isTrue();
    }
}
