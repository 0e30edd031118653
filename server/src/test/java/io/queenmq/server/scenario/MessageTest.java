package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The routes by which operators read and change single messages. */
class MessageTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void messagesAreListedNewestFirst() {
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "b", "3");
        queen.popPartition(queue, "a", "autoAck=true");

        JsonNode list = queen.get("/api/v1/messages?queue=" + queue + "&consumerGroup=ignored").json();

        assertThat(list.get("messages").findValuesAsText("transactionId")).containsExactly("3", "2", "1");
        assertThat(list.get("messages").findValuesAsText("status")).containsExactly("pending", "pending", "completed");
        assertThat(list.get("mode").get("type").asText()).isEqualTo("queue");
        JsonNode message = list.get("messages").get(0);
        assertThat(Answer.fieldsOf(message)).contains("id", "transactionId", "partitionId", "queuePath", "queue",
                "partition", "namespace", "task", "status", "queueStatus", "busStatus", "traceId", "producerSub",
                "queuePriority", "createdAt", "leaseExpiresAt").doesNotContain("payload", "data");
        assertThat(message.get("queuePath").asText()).isEqualTo(queue + "/b");
        assertThat(list("limit=1", "offset=1")).containsExactly("2");
        assertThat(list("partition=a", "status=pending")).containsExactly("2");
        assertThat(list("ns=other")).isEmpty();
        assertThat(list("to=2000-01-01")).isEmpty();
    }

    @Test
    void theMessagesOfAQueueAreAnArray() {
        queen.push(queue, "a", "1", "2", "3");

        Answer list = queen.get("/api/v1/status/queues/" + queue + "/messages?limit=2");

        assertThat(list.each("transactionId")).containsExactly("3", "2");
        assertThat(Answer.fieldsOf(list.list().getFirst())).containsExactlyInAnyOrder("id", "transactionId",
                "partitionId", "queuePath", "queue", "partition", "status", "createdAt", "isOmitted");
        assertThat(queen.get("/api/v1/status/queues/nothing-like-it/messages").status()).isEqualTo(404);
    }

    @Test
    void oneMessageIsShownWithItsPayloadAsItWasSent() {
        String payload = "{\"n\":123456789012345678901234567890,\"z\":\"\\u0000\",\"a\":[1.50]}";
        queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue
                + "\",\"partition\":\"a\",\"transactionId\":\"x/ä 1\",\"payload\":" + payload + "}]}");
        JsonNode popped = queen.popPartition(queue, "a", "consumerGroup=g").message();

        Answer shown = queen.get("/api/v1/messages/" + path(popped));

        assertThat(shown.body()).contains(payload);
        assertThat(Answer.fieldsOf(shown.json())).contains("payload", "isEncrypted", "errorMessage", "retryCount",
                "queueConfig", "mode", "consumerGroups", "status", "busStatus");
        assertThat(shown.json().get("status").asText()).isEqualTo("processing");
        assertThat(shown.json().get("consumerGroups").get(0).get("name").asText()).isEqualTo("g");
        assertThat(shown.json().get("consumerGroups").get(0).get("leaseExpiresAt").asText()).endsWith("Z");
        assertThat(queen.get("/api/v1/messages/" + UUID.randomUUID() + "/x").status()).isEqualTo(404);
        assertThat(queen.get("/api/v1/messages/not-a-uuid/x").status()).isEqualTo(400);
    }

    @Test
    void aMessageIsMovedToTheDeadLettersForItsGroup() {
        queen.push(queue, "a", "1", "2");
        JsonNode leased = queen.popPartition(queue, "a", "consumerGroup=g").message();

        assertThat(queen.post("/api/v1/messages/" + path(leased) + "/dlq?consumerGroup=g", "{\"error\":\"bad\"}").json()
                .get("success").asBoolean()).isTrue();

        assertThat(queen.ack(leased, "completed").get("success").asBoolean()).as("the lease holder may ack it")
                .isTrue();
        assertThat(queen.popPartition(queue, "a", "consumerGroup=g", "wait=true", "timeout=60000", "batch=5")
                .transactionIds()).containsExactly("2");
        assertThat(server.deadLetters(queue)).containsExactly("1 0");
        assertThat(queen.popPartition(queue, "a", "batch=5").transactionIds()).as("other groups get it")
                .containsExactly("1", "2");
        assertThat(queen.post("/api/v1/messages/" + path(leased) + "/dlq?consumerGroup=g", "").status()).isEqualTo(400);
    }

    @Test
    void withoutAGroupAMessageIsMovedForQueueMode() {
        queen.push(queue, "a", "1", "2");
        JsonNode first = queen.get("/api/v1/messages?queue=" + queue).json().get("messages").get(1);

        assertThat(queen.post("/api/v1/messages/" + path(first) + "/dlq", "").status()).isEqualTo(200);

        assertThat(queen.popPartition(queue, "a", "batch=5").transactionIds()).containsExactly("2");
    }

    @Test
    void aMovedMessageDoesNotBlockItsPartition() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        JsonNode failed = queen.popPartition(queue, "a").message();
        queen.ack(failed, "failed");
        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();

        queen.post("/api/v1/messages/" + path(failed) + "/dlq", "");

        assertThat(queen.pop(queue, "wait=true", "timeout=60000", "batch=5").transactionIds()).containsExactly("2");
    }

    @Test
    void aClearedQueueIsEmptyForAllGroupsAndAcceptsPushes() {
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "b", "3");
        Answer leased = queen.popPartition(queue, "a");

        assertThat(queen.delete("/api/v1/queues/" + queue + "/clear").json().get("cleared").asInt()).isEqualTo(3);

        assertThat(queen.pop(queue, "consumerGroup=g", "partitions=5").isEmpty()).isTrue();
        assertThat(list()).isEmpty();
        assertThat(queen.extend(leased.leaseId(), "{}").status()).isIn(404, 410);
        Await.until(() -> queen.push(queue, "a", "1").list().getFirst().get("status").asText().equals("queued"));
        assertThat(queen.pop(queue, "consumerGroup=g", "wait=true", "timeout=60000").transactionIds())
                .as("the transactionId of a removed message may be used again").containsExactly("1");
    }

    @Test
    void onePartitionIsClearedAlone() {
        queen.push(queue, "a", "1");
        queen.push(queue, "b", "2");

        assertThat(queen.delete("/api/v1/queues/" + queue + "/clear?partition=a").json().get("cleared").asInt())
                .isEqualTo(1);

        assertThat(queen.pop(queue, "partitions=5", "batch=5", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("2");
        assertThat(queen.delete("/api/v1/queues/nothing-like-it/clear").status()).isEqualTo(404);
    }

    private List<String> list(String... parameters) {
        return queen.get("/api/v1/messages?queue=" + queue + "&" + String.join("&", parameters)).json().get("messages")
                .findValuesAsText("transactionId");
    }

    private static String path(JsonNode message) {
        return message.get("partitionId").asText() + "/" + QueenClient.encode(message.get("transactionId").asText());
    }
}
