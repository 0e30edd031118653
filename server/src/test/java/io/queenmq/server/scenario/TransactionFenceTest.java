package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transaction takes effect only under live leases, and once if it is repeated. */
class TransactionFenceTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String in = server.newQueue();
    private final String out = server.newQueue();

    @Test
    void aTransactionUnderALeaseThatExpiredAndWasReassignedChangesNothing() {
        queen.push(in, "a", "1", "2");
        JsonNode zombie = queen.pop(in).message();
        server.expireLeases(in);
        JsonNode owner = queen.popPartition(in, "a").message();

        Answer late = queen.transaction(ackAndPush(zombie, "completed", "zombie", lease(zombie)));
        Answer good = queen.transaction(ackAndPush(owner, "completed", "owner", lease(owner)));

        assertThat(late.status()).isEqualTo(200);
        assertThat(late.json().get("success").asBoolean()).isFalse();
        assertThat(late.json().get("error").asText()).isNotEmpty();
        assertThat(good.json().get("success").asBoolean()).isTrue();
        assertThat(pushed()).containsExactly("owner");
        assertThat(queen.pop(in).transactionIds()).containsExactly("2");
    }

    @Test
    void aTransactionUnderAnExpiredLeaseChangesNothingAfterTheNextHolderFinished() {
        queen.push(in, "a", "1");
        JsonNode zombie = queen.pop(in).message();
        server.expireLeases(in);
        JsonNode owner = queen.popPartition(in, "a").message();
        queen.transaction(ackAndPush(owner, "completed", "owner", lease(owner)));

        Answer late = queen.transaction(ackAndPush(zombie, "completed", "zombie", lease(zombie)));

        assertThat(late.json().get("success").asBoolean()).isFalse();
        assertThat(pushed()).containsExactly("owner");
    }

    @Test
    void theLeaseOfAnAckIsCheckedToo() {
        queen.push(in, "a", "1");
        JsonNode zombie = queen.pop(in).message();
        server.expireLeases(in);
        JsonNode owner = queen.popPartition(in, "a").message();
        queen.ack(owner, "completed");
        QueenClient another = server.startAnother();

        for (QueenClient each : List.of(another, queen)) {
            Answer late = each.transaction("{\"operations\":["
                    + QueenClient.acknowledgment(zombie, "completed").put("type", "ack") + "," + push("zombie") + "]}");
            assertThat(late.json().get("success").asBoolean()).isFalse();
        }

        assertThat(pushed()).isEmpty();
    }

    @Test
    void aMissingLeaseIsRejected() {
        Answer answer = queen.transaction(
                "{\"operations\":[" + push("x") + "],\"requiredLeases\":[\"0190a0a0-0000-7000-8000-000000000000\"]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("success").asBoolean()).isFalse();
        assertThat(pushed()).isEmpty();
    }

    @Test
    void malformedRequiredLeasesAreRejected() {
        Answer answer = queen.transaction("{\"operations\":[" + push("x") + "],\"requiredLeases\":[\"nonsense\"]}");

        assertThat(answer.json().get("success").asBoolean()).isFalse();
        assertThat(pushed()).isEmpty();
    }

    @Test
    void aDuplicateReturnsItsIdAndIsNotStoredAgain() {
        String original = queen.push(out, "Default", "same").list().getFirst().get("messageId").asText();
        queen.push(in, "a", "1");
        JsonNode message = queen.pop(in).message();

        Answer answer = queen.transaction(ackAndPush(message, "completed", "same", lease(message)));

        assertThat(answer.json().get("success").asBoolean()).isTrue();
        assertThat(answer.json().get("results").get(1).get("messageId").asText()).isEqualTo(original);
        assertThat(pushed()).containsExactly("same");
        assertThat(queen.pop(in).isEmpty()).isTrue();
    }

    @Test
    void aTransactionRepeatedAfterALostResponseSucceedsAndTakesEffectOnce() {
        queen.push(in, "a", "1", "2");
        JsonNode message = queen.pop(in).message();
        String body = ackAndPush(message, "completed", "once", lease(message));
        Answer first = queen.transaction(body);

        Answer again = queen.transaction(body);
        Answer other = server.startAnother().transaction(body);

        assertThat(first.json().get("success").asBoolean()).isTrue();
        assertThat(again.json().get("success").asBoolean()).isTrue();
        assertThat(other.json().get("success").asBoolean()).isTrue();
        assertThat(again.json().get("results").get(1).get("messageId"))
                .isEqualTo(first.json().get("results").get(1).get("messageId"));
        assertThat(pushed()).containsExactly("once");
        assertThat(queen.pop(in).transactionIds()).containsExactly("2");
    }

    @Test
    void aRepeatedTransactionDoesNotAffectTheNextHolder() {
        queen.push(in, "a", "1", "2");
        JsonNode message = queen.pop(in).message();
        String body = ackAndPush(message, "completed", "once", lease(message));
        queen.transaction(body);
        JsonNode next = queen.pop(in).message();

        Answer again = queen.transaction(body);

        assertThat(again.json().get("success").asBoolean()).isTrue();
        assertThat(queen.ack(next, "completed").get("leaseReleased").asBoolean()).isTrue();
    }

    @Test
    void aFailedAckInATransactionCountsAsOneAttempt() {
        queen.configure(in, "{\"retryLimit\":1,\"retryDelay\":0}");
        queen.push(in, "a", "1");

        JsonNode first = queen.pop(in).message();
        Answer failedOnce = queen.transaction(ackAndPush(first, "failed", "note-1", lease(first)));
        JsonNode second = queen.pop(in).message();
        Answer failedTwice = queen.transaction(ackAndPush(second, "failed", "note-2", lease(second)));

        assertThat(failedOnce.json().get("success").asBoolean()).isTrue();
        assertThat(failedOnce.json().get("results").get(0).get("dlq").asBoolean()).isFalse();
        assertThat(second.get("retryCount").asInt()).isOne();
        assertThat(failedTwice.json().get("results").get(0).get("dlq").asBoolean()).isTrue();
        assertThat(server.deadLetters(in)).containsExactly("1 2");
        assertThat(pushed()).containsExactly("note-1", "note-2");
    }

    @Test
    void aFailedTransactionHasNoSuccessfulResults() {
        queen.push(in, "a", "1");
        JsonNode message = queen.pop(in).message();
        String body = "{\"operations\":[" + push("x") + "," + ack(message, "completed") + ","
                + ack(message, "completed").replace("\"1\"", "\"unknown\"") + "],\"requiredLeases\":[\""
                + lease(message) + "\"]}";

        Answer answer = queen.transaction(body);

        assertThat(answer.json().get("success").asBoolean()).isFalse();
        answer.json().get("results").forEach(result -> assertThat(result.get("success").asBoolean()).isFalse());
        assertThat(pushed()).isEmpty();
        server.expireLeases(in);
        assertThat(queen.popPartition(in, "a").transactionIds()).containsExactly("1");
    }

    @Test
    void aLeaseStaysLiveAfterATransactionOfOneOfItsMessages() {
        queen.push(in, "a", "1", "2", "3");
        List<JsonNode> messages = queen.pop(in, "batch=3").messages();

        for (JsonNode message : messages) {
            String id = message.get("transactionId").asText();
            Answer answer = queen.transaction(ackAndPush(message, "completed", "out-" + id, lease(message)));
            assertThat(answer.json().get("success").asBoolean()).as("message " + id).isTrue();
        }

        assertThat(pushed()).containsExactly("out-1", "out-2", "out-3");
        assertThat(queen.pop(in).isEmpty()).isTrue();
    }

    @Test
    void concurrentTransactionsOnCommonPartitionsAllTakeEffect() {
        String[] ids = IntStream.range(0, 40).mapToObj(Integer::toString).toArray(String[]::new);
        List<CompletableFuture<Answer>> transactions = new ArrayList<>();
        for (String id : ids) {
            queen.push(in, "partition-" + id, id);
            JsonNode message = queen.popPartition(in, "partition-" + id).message();
            boolean isEven = Integer.parseInt(id) % 2 == 0;
            transactions.add(queen.postLater("/api/v1/transaction",
                    "{\"operations\":[" + pushTo(isEven ? "x" : "y", id) + "," + ack(message, "completed") + ","
                            + pushTo(isEven ? "y" : "x", id) + "],\"requiredLeases\":[\"" + lease(message) + "\"]}"));
            transactions.add(queen.pushLater(out, isEven ? "x" : "y", "plain-" + id));
        }

        assertThat(transactions).allMatch(each -> each.join().status() < 300);
        for (String partition : List.of("x", "y")) {
            assertThat(queen.popPartition(out, partition, "batch=999").transactionIds()).contains(ids).hasSize(60)
                    .doesNotHaveDuplicates();
        }
        assertThat(queen.pop(in).isEmpty()).isTrue();
    }

    private String pushTo(String partition, String transactionId) {
        return "{\"type\":\"push\",\"items\":[{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\"}]}"
                .formatted(out, partition, transactionId);
    }

    /** Returns the body that clients send: ack and push, with the lease only at the top. */
    private String ackAndPush(JsonNode message, String status, String pushedId, String lease) {
        return "{\"operations\":[" + ack(message, status) + "," + push(pushedId) + "],\"requiredLeases\":[\"" + lease
                + "\"]}";
    }

    private static String ack(JsonNode message, String status) {
        return "{\"type\":\"ack\",\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"status\":\"%s\"}"
                .formatted(message.get("transactionId").asText(), message.get("partitionId").asText(), status);
    }

    private String push(String transactionId) {
        return "{\"type\":\"push\",\"items\":[{\"queue\":\"%s\",\"transactionId\":\"%s\",\"payload\":1}]}"
                .formatted(out, transactionId);
    }

    private static String lease(JsonNode message) {
        return message.get("leaseId").asText();
    }

    private List<String> pushed() {
        return queen.pop(out, "batch=100", "consumerGroup=reader-" + System.nanoTime()).transactionIds();
    }
}
