package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes by which operators list, change and delete groups. */
class GroupsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();
    private final String group = "group of " + queue;
    private final String path = "/api/v1/consumer-groups/" + QueenClient.encode(group);
    private final String asGroup = "consumerGroup=" + QueenClient.encode(group);

    @Test
    void everyGroupIsListedWithItsQueueAndItsBacklog() {
        queen.push(queue, "a", "1", "2", "3");
        queen.push(queue, "b", "1");
        queen.pop(queue, asGroup, "batch=9", "autoAck=true");
        queen.popPartition(queue, "a", "autoAck=true");
        server.age(queue, 400);
        refresh();

        JsonNode listed = listed(group);
        assertThat(listed.get("topics").get(0).asText()).isEqualTo(queue);
        assertThat(listed.get("members").asInt()).as("also the partition that it has not read").isEqualTo(2);
        assertThat(listed.get("subscriptionMode").asText()).isEqualTo("all");
        assertThat(listed.get("subscriptionCreatedAt").asText()).endsWith("Z");
        assertThat(listed.get("paused").asBoolean()).isFalse();
        JsonNode competing = listed("__QUEUE_MODE__");
        assertThat(competing.get("totalLag").asInt()).isEqualTo(3);
        assertThat(competing.get("partitionsWithLag").asInt()).as("also the partition that it has not read")
                .isEqualTo(2);
        assertThat(competing.get("maxTimeLag").asInt()).isGreaterThanOrEqualTo(400);
        assertThat(competing.get("oldestUnreadSeconds")).isEqualTo(competing.get("maxTimeLag"));
        assertThat(competing.get("state").asText()).isIn("Lagging", "Dead");
        assertThat(queen.get("/api/v1/resources/overview").json().get("oldestUnreadSeconds").asInt())
                .isGreaterThanOrEqualTo(400);
        Await.until(() -> queen.get("/api/v1/status?queue=" + queue).json().get("throughput").get(0)
                .get("oldestUnreadSeconds").asInt() >= 400);
    }

    @Test
    void aGroupWithoutMessagesIsListed() {
        queen.pop(queue, asGroup, "subscriptionMode=new");

        assertThat(listed(group).get("subscriptionMode").asText()).isEqualTo("new");
        assertThat(listed(group).get("state").asText()).isIn("Idle", "Stable");
        assertThat(listed(group).get("members").asInt()).isZero();
    }

    @Test
    void theStateOfAGroupDependsOnItsConsumersAndItsBacklog() throws Exception {
        CompletableFuture<Answer> waiting = queen.popLater(queue, asGroup, "wait=true", "timeout=60000");
        // The group is listed when its subscription is stored, which the pop requests when it arrives.
        Await.until(() -> findListed(group).map(each -> each.get("waitingPops").asInt()).orElse(0) == 1);
        assertThat(listed(group).get("consumers").asInt()).isEqualTo(1);
        assertThat(listed(group).get("state").asText()).isEqualTo("Stable");

        queen.push(queue, "a", "1", "2");
        Answer leased = waiting.get();
        server.age(queue, 400);
        refresh();
        Await.until(() -> listed(group, "waitingPops") == 0 && listed(group, "activeLeases") == 1);
        assertThat(listed(group).get("consumers").asInt()).isEqualTo(1);
        assertThat(listed(group).get("state").asText()).as("it processes an old message").isEqualTo("Lagging");

        queen.ack(leased.message(), "completed");
        Await.until(() -> listed(group, "consumers") == 0);
        assertThat(listed(group).get("state").asText()).as("no consumer waits for the second message")
                .isEqualTo("Dead");
        queen.post(path + "/queues/" + queue + "/pause", "");
        assertThat(listed(group).get("state").asText()).isEqualTo("Paused");
        assertThat(lagging(300)).as("a paused group does not lag").isEmpty();
        queen.post(path + "/queues/" + queue + "/resume", "");
        assertThat(lagging(300)).hasSize(1);
        queen.post("/api/v1/partitions/" + leased.message().get("partitionId").asText() + "/pause", "");
        assertThat(lagging(300)).as("a paused partition does not lag").isEmpty();
    }

    @Test
    void leasesThatEndOnAnotherServerAreNotCountedForLong() {
        QueenClient there = server.startAnother();
        queen.push(queue, "a", "1");
        Answer leased = queen.pop(queue, asGroup);
        Await.until(() -> listed(group, "activeLeases") == 1);

        there.ack(leased.message(), "completed");

        Await.until(() -> listed(group, "activeLeases") == 0);
    }

    @Test
    void theBacklogOfAGroupIncludesPartitionsWithoutACursor() {
        queen.push(queue, "a", "1");
        queen.pop(queue, asGroup, "autoAck=true");
        queen.push(queue, "b", "2");

        JsonNode partitions = queen.get("/api/v1/resources/queues/" + queue + "/partitions").json().get("partitions");
        assertThat(partitions)
                .extracting(partition -> partition.get("name").asText() + " " + partition.get("consumerGroup").asText()
                        + " " + partition.get("offsetLag").asInt())
                .containsExactly("a " + group + " 0", "b " + group + " 1");
        assertThat(queen.get(path).json().get(queue).get("partitions")).hasSize(2);
    }

    @Test
    void deletingAQueueDeletesItsGroupsAndAcksOfTheirLeasesFailWithTheReason() {
        queen.push(queue, "a", "1", "2", "3");
        Answer leased = queen.pop(queue, asGroup, "batch=3");
        queen.post(path + "/queues/" + queue + "/pause", "");

        queen.delete("/api/v1/resources/queues/" + queue);

        assertThat(queen.get("/api/v1/consumer-groups").list())
                .noneMatch(each -> each.get("queueName").asText().equals(queue));
        String why = "the queue " + queue + " was deleted";
        assertThat(queen.extend(leased.leaseId(), "").json().get("error").asText()).isEqualTo(why);
        assertThat(queen.transaction(transactionOf(leased)).json().get("error").asText()).isEqualTo(why);
        assertThat(queen.ack(leased.messages().get(1), "failed").get("error").asText()).isEqualTo(why);
        assertThat(queen.ack(leased.messages().get(2), "completed").get("error").asText()).as("the lease was removed")
                .contains("its queue was deleted");
    }

    @Test
    void anAckOfALeaseOfARecreatedQueueFailsWithTheReason() {
        queen.push(queue, "a", "1");
        Answer leased = queen.pop(queue, asGroup, "subscriptionMode=new");
        assertThat(leased.isEmpty()).isTrue();
        queen.push(queue, "a", "2");
        leased = queen.pop(queue, asGroup);

        queen.delete("/api/v1/resources/queues/" + queue);
        queen.push(queue, "a", "3");

        assertThat(queen.ack(leased.message(), "completed").get("error").asText())
                .isEqualTo("the queue " + queue + " was deleted, and another one has its name now");
        assertThat(queen.pop(queue, asGroup, "subscriptionMode=new").transactionIds())
                .as("all its messages are new to the group").containsExactly("3");
        assertThat(listed(group).get("subscriptionMode").asText()).isEqualTo("all");
    }

    @Test
    void theAgeOfAMessageStartsWhenItIsDue() {
        queen.configure(queue, "{\"delayedProcessing\":3600}");
        queen.push(queue, "a", "1");
        queen.pop(queue, asGroup);
        server.age(queue, 400);
        refresh();

        assertThat(listed(group).get("totalLag").asInt()).isEqualTo(1);
        assertThat(listed(group).get("oldestUnreadSeconds").asInt()).isZero();
        assertThat(listed(group).get("state").asText()).isIn("Idle", "Stable");
        assertThat(lagging(300)).isEmpty();

        server.age(queue, 4000);
        refresh();
        assertThat(listed(group).get("oldestUnreadSeconds").asInt()).isBetween(800, 900);
        assertThat(lagging(300)).singleElement()
                .satisfies(partition -> assertThat(partition.get("time_lag_seconds").asInt()).isBetween(800, 900));
    }

    @Test
    void aGroupShowsItsCursorInEachPartition() {
        queen.push(queue, "a", "1", "2", "3");
        queen.pop(queue, asGroup, "autoAck=true");
        Answer leased = queen.pop(queue, asGroup);

        JsonNode partition = queen.get(path).json().get(queue).get("partitions").get(0);

        assertThat(partition.get("partition").asText()).isEqualTo("a");
        assertThat(partition.get("workerId").asText()).isEqualTo(leased.leaseId());
        assertThat(partition.get("totalConsumed").asInt()).isEqualTo(1);
        assertThat(partition.get("offsetLag").asInt()).isEqualTo(2);
        assertThat(partition.get("timeLagSeconds").isIntegralNumber()).isTrue();
        assertThat(partition.get("leaseActive").asBoolean()).isTrue();
        assertThat(partition.get("lastConsumedAt").asText()).endsWith("Z");
        assertThat(queen.get("/api/v1/consumer-groups/missing").body()).isEqualTo("{}");
    }

    @Test
    void laggingShowsOnlyGroupsWithAGreaterLagThanRequested() {
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
    void aDeletedGroupStartsAgain() {
        queen.push(queue, "a", "1", "2");
        Answer leased = queen.pop(queue, asGroup, "subscriptionMode=all");

        Answer deleted = queen.delete(path);

        assertThat(deleted.json().get("deletedPartitions").asInt()).isEqualTo(1);
        assertThat(deleted.json().get("metadataDeleted").asBoolean()).isTrue();
        assertThat(queen.ack(leased.message(), "completed").get("success").asBoolean()).isFalse();
        assertThat(queen.pop(queue, asGroup, "subscriptionMode=new").isEmpty()).isTrue();
        queen.push(queue, "a", "3");
        assertThat(queen.pop(queue, asGroup, "batch=9").transactionIds()).containsExactly("3");
    }

    @Test
    void aGroupDeletedWithoutItsSubscriptionStartsAtThatSubscription() {
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
    void aChangedSubscriptionAppliesToPartitionsWithoutACursor() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");
        server.age(queue, 3600);
        queen.push(queue, "b", "3");
        queen.popPartition(queue, "a", asGroup);
        String moment = Instant.now().minusSeconds(600).toString();

        Answer changed = queen.post(path + "/subscription", "{\"subscriptionTimestamp\":\"" + moment + "\"}");

        assertThat(changed.json().get("rowsUpdated").asInt()).isEqualTo(1);
        assertThat(changed.json().get("newTimestamp").asText()).endsWith("Z");
        assertThat(queen.popPartition(queue, "b", asGroup, "batch=9").transactionIds()).containsExactly("3");
        assertThat(queen.post(path + "/subscription", "{}").status()).isEqualTo(400);
        assertThat(server.select("select count(*) from queen.audit where target = ?", "group " + group))
                .containsExactly("1");
    }

    private JsonNode listed(String name) {
        return findListed(name).orElseThrow();
    }

    private Optional<JsonNode> findListed(String name) {
        return queen.get("/api/v1/consumer-groups").list().stream()
                .filter(each -> each.get("name").asText().equals(name) && each.get("queueName").asText().equals(queue))
                .findFirst();
    }

    private int listed(String name, String field) {
        return listed(name).get(field).asInt();
    }

    private static String transactionOf(Answer leased) {
        return "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":\""
                + leased.messages().getFirst().get("partitionId").asText() + "\",\"leaseId\":\"" + leased.leaseId()
                + "\",\"consumerGroup\":\"" + leased.messages().getFirst().get("consumerGroup").asText() + "\"}]}";
    }

    private List<JsonNode> lagging(int seconds) {
        return queen.get("/api/v1/consumer-groups/lagging?minLagSeconds=" + seconds).list().stream()
                .filter(each -> each.get("consumer_group").asText().equals(group)).toList();
    }

    private void refresh() {
        assertThat(queen.post("/api/v1/stats/refresh", "").json().get("success").asBoolean()).isTrue();
    }
}
