package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Dead letters are kept until they are redriven or purged. */
class DeadLetterTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void deadLettersAreListedWithFiltersPagesAndATotal() {
        kill("a", "1", "2", "3");
        kill("b", "4");

        JsonNode page = get("?queue=" + queue + "&partition=a&limit=1&offset=1");
        assertThat(page.get("messages")).hasSize(1);
        assertThat(page.get("total").asInt()).isEqualTo(3);
        assertThat(page.get("pagination").get("offset").asInt()).isEqualTo(1);
        JsonNode letter = page.get("messages").get(0);
        assertThat(Answer.fieldsOf(letter)).contains("id", "transactionId", "partitionId", "queue", "partition",
                "consumerGroup", "errorMessage", "retryCount", "data", "producerSub", "createdAt", "failedAt");
        assertThat(letter.get("transactionId").asText()).isEqualTo("2");
        assertThat(letter.get("data").get("text").asText()).isEqualTo("2");
        assertThat(letter.get("errorMessage").asText()).isEqualTo("no");
        assertThat(get("?queue=" + queue + "&error=nothing+like+it").get("messages")).isEmpty();
        assertThat(get("?queue=" + queue + "&consumerGroup=others").get("total").asInt()).isZero();
        assertThat(get("?queue=" + queue + "&from=2100-01-01").get("total").asInt()).isZero();
        assertThat(get("/errors?queue=" + queue).get("errors").get(0).get("count").asInt()).isEqualTo(4);
    }

    @Test
    void aDeadLetterIsShownAlsoAfterItsMessageWasDeleted() {
        JsonNode message = kill("a", "1");
        queen.delete("/api/v1/messages/" + path(message));

        assertThat(get("/" + path(message)).get("data").get("text").asText()).isEqualTo("1");
        assertThat(queen.get("/api/v1/dlq/" + path(message) + "?consumerGroup=others").status()).isEqualTo(404);
        assertThat(queen.get("/api/v1/dlq/not-a-uuid/1").status()).isEqualTo(400);
    }

    @Test
    void aDryRunReturnsTheEffectOfARedrive() {
        kill("a", "1", "2");

        JsonNode dry = redrive("\"dryRun\":true");

        assertThat(dry.get("total").asInt()).isEqualTo(2);
        assertThat(dry.get("examples").get(0).get("transactionId").asText()).isEqualTo("1");
        assertThat(get("?queue=" + queue).get("total").asInt()).isEqualTo(2);
    }

    @Test
    void redrivenMessagesAreAppendedToTheirPartitionInOrder() {
        kill("a", "1", "2");
        queen.push(queue, "a", "3");

        JsonNode done = await(redrive("\"ratePerSecond\":1000").get("id").asText());

        assertThat(done.get("redriven").asInt()).isEqualTo(2);
        assertThat(done.get("failed").asInt()).isZero();
        assertThat(get("?queue=" + queue).get("total").asInt()).isZero();
        Answer popped = queen.popPartition(queue, "a", "batch=10");
        assertThat(popped.transactionIds()).containsExactly("3", "1", "2");
        assertThat(popped.messages().get(1).get("data").get("text").asText()).isEqualTo("1");
        assertThat(queen.ackAll(popped, "completed").each("success")).containsOnly("true");
        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
    }

    @Test
    void aRedrivenMessageMayBeDeadLetteredAndRedrivenAgain() {
        JsonNode message = kill("a", "1");
        for (int i = 0; i < 3; i++) {
            await(redrive("\"transactionIds\":[\"1\"]").get("id").asText());
            assertThat(kill(queen.popPartition(queue, "a", "wait=true", "timeout=60000").message())).isTrue();
        }

        assertThat(get("?queue=" + queue).get("total").asInt()).isEqualTo(1);
        assertThat(get("/" + path(message)).get("offset").asInt()).isEqualTo(3);
    }

    @Test
    void messagesCanBeRedrivenIntoAnotherQueue() {
        kill("a", "1", "2");
        String repairs = server.newQueue();
        queen.push(repairs, "desk", "1");

        JsonNode done = await(
                redrive("\"targetQueue\":\"" + repairs + "\",\"targetPartition\":\"desk\"").get("id").asText());

        assertThat(done.get("redriven").asInt()).isEqualTo(2);
        assertThat(queen.popPartition(repairs, "desk", "batch=10").transactionIds())
                .as("no message is rejected as a duplicate").containsExactly("1", "1", "2");
    }

    @Test
    void aRedriveCanBeCanceled() {
        // Enough that the redrive is not complete before it is canceled, even if the machine pauses for a while.
        String[] letters = IntStream.rangeClosed(1, 40).mapToObj(Integer::toString).toArray(String[]::new);
        kill("a", letters);
        String id = redrive("\"ratePerSecond\":1").get("id").asText();
        Await.until(() -> show(id).get("redriven").asInt() > 0);

        assertThat(queen.delete("/api/v1/dlq/redrives/" + id).json().get("status").asText()).isEqualTo("cancelled");

        int redriven = show(id).get("redriven").asInt();
        assertThat(redriven).isLessThan(letters.length);
        assertThat(get("?queue=" + queue).get("total").asInt()).isEqualTo(letters.length - redriven);
        assertThat(queen.get("/api/v1/dlq/redrives").body()).contains(id);
    }

    @Test
    void aMessageThatCannotBeStoredStaysADeadLetter() {
        kill("a", "1");
        server.update("create function queen.refuse() returns trigger language plpgsql as"
                + " $$ begin raise 'no space for it'; end $$");
        server.updateEverywhere(
                "create trigger refuse before insert on segment for each row execute function queen.refuse()");

        JsonNode done;
        try {
            done = await(redrive("\"limit\":10").get("id").asText());
        } finally {
            server.updateEverywhere("drop trigger refuse on segment");
            server.update("drop function queen.refuse");
        }

        assertThat(done.get("failed").asInt()).isEqualTo(1);
        assertThat(done.get("lastError").asText()).contains("no space for it");
        assertThat(get("?queue=" + queue).get("total").asInt()).isEqualTo(1);
    }

    @Test
    void aSingleDeadLetterIsRetriedByItsTransactionId() {
        JsonNode message = kill("a", "1", "2");

        Answer retried = queen.post("/api/v1/messages/" + path(message) + "/retry", "");

        assertThat(retried.json().get("success").asBoolean()).isTrue();
        assertThat(there.popPartition(queue, "a", "wait=true", "timeout=60000", "batch=10").transactionIds())
                .containsExactly("2");
        Await.until(() -> get("?queue=" + queue).get("total").asInt() == 1);
        assertThat(queen.post("/api/v1/messages/" + path(message) + "/retry", "{}").status()).isEqualTo(404);
    }

    @Test
    void deadLettersArePurgedByFilter() {
        kill("a", "1", "2");
        kill("b", "3");

        assertThat(queen.delete("/api/v1/dlq").status()).isEqualTo(400);
        assertThat(queen.delete("/api/v1/dlq?queue=nothing-like-it").status()).isEqualTo(404);
        assertThat(queen.delete("/api/v1/dlq?queue=" + queue + "&partition=a").json().get("purged").asInt())
                .isEqualTo(2);
        assertThat(get("?queue=" + queue).get("total").asInt()).isEqualTo(1);
    }

    @Test
    void malformedRequestsAreRejected() {
        queen.configure(queue, "{}");

        assertThat(post("{\"queue\":\"nothing-like-it\"}").status()).isEqualTo(404);
        assertThat(post("{\"queue\":\"" + queue + "\",\"targetQueue\":\"a/b\"}").status()).isEqualTo(400);
        assertThat(post("{\"queue\":\"" + queue + "\",\"ratePerSecond\":0}").status()).isEqualTo(400);
        assertThat(post("{\"queue\":\"" + queue + "\",\"transactionIds\":7}").status()).isEqualTo(400);
        assertThat(queen.get("/api/v1/dlq/redrives/" + UUID.randomUUID()).status()).isEqualTo(404);
    }

    /** Dead-letters messages and returns the last one. */
    private JsonNode kill(String partition, String... transactionIds) {
        queen.push(queue, partition, transactionIds);
        JsonNode last = null;
        for (String id : transactionIds) {
            last = queen.popPartition(queue, partition).message();
            assertThat(last.get("transactionId").asText()).isEqualTo(id);
            kill(last);
        }
        return last;
    }

    private boolean kill(JsonNode message) {
        return queen.post("/api/v1/ack", QueenClient.acknowledgment(message, "dlq").put("error", "no").toString())
                .list().getFirst().get("success").asBoolean();
    }

    private JsonNode get(String path) {
        Answer answer = queen.get("/api/v1/dlq" + path);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private JsonNode redrive(String fields) {
        Answer answer = post("{\"queue\":\"" + queue + "\"," + fields + "}");
        assertThat(answer.status()).as(answer.body()).isEqualTo(202);
        return answer.json();
    }

    private Answer post(String body) {
        return queen.post("/api/v1/dlq/redrive", body);
    }

    private JsonNode show(String id) {
        return get("/redrives/" + id);
    }

    private JsonNode await(String id) {
        Await.until(() -> show(id).get("status").asText().equals("finished"));
        return show(id);
    }

    private static String path(JsonNode message) {
        return message.get("partitionId").asText() + "/" + QueenClient.encode(message.get("transactionId").asText());
    }
}
