package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.TestShards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transaction of another session locks the cursor of one partition. Only requests for that partition may wait for it. */
@DisplayName("a locked cursor delays only its own partition")
class LockedCursorTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.with(Map.of("MAX_CALLS_IN_FLIGHT", "1"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void acksOfOtherPartitionsSucceedMeanwhileAndTheDelayedOneAfterTheLock() throws SQLException {
        JsonNode held = popped("held");
        CompletableFuture<Answer> answer;
        try (Connection operator = lock(held)) {
            answer = ackLater(held, "completed");
            for (int i = 0; i < 20; i++) {
                assertThat(
                        queen.ack(popped("free-" + i), i % 2 == 0 ? "completed" : "failed").get("success").asBoolean())
                        .isTrue();
            }
            assertThat(answer).isNotDone();
            operator.rollback();
        }

        assertThat(answer.join().list().getFirst().get("success").asBoolean()).isTrue();
        assertThat(queen.popPartition(queue, "held").isEmpty()).isTrue();
    }

    @Test
    void failuresAndRenewalsWaitForTheLockLikeAcks() throws SQLException {
        JsonNode failing = popped("failing");
        JsonNode renewing = popped("renewing");
        JsonNode free = popped("free");
        CompletableFuture<Answer> failed;
        CompletableFuture<Answer> renewed;
        try (Connection operator = lock(failing, renewing)) {
            failed = ackLater(failing, "failed");
            renewed = queen.postLater("/api/v1/lease/" + renewing.get("leaseId").asText() + "/extend", "{}");
            assertThat(queen.extend(free.get("leaseId").asText(), "{}").status()).isEqualTo(200);
            assertThat(queen.ack(free, "failed").get("success").asBoolean()).isTrue();
            assertThat(failed).isNotDone();
            assertThat(renewed).isNotDone();
            operator.rollback();
        }

        assertThat(failed.join().list().getFirst().get("success").asBoolean()).isTrue();
        assertThat(renewed.join().status()).isEqualTo(200);
    }

    @Test
    void transactionsWaitForTheLockWithoutBlockingPartitions() throws SQLException {
        JsonNode held = popped("held");
        CompletableFuture<Answer> answer;
        try (Connection operator = lock(held)) {
            answer = queen.postLater("/api/v1/transaction", ackAndPush(held, "one"));
            JsonNode free = popped("free");
            assertThat(queen.transaction(ackAndPush(free, "two")).json().get("success").asBoolean()).isTrue();
            assertThat(queen.push(queue, "out", "three").list().getFirst().get("status").asText()).isEqualTo("queued");
            assertThat(answer).isNotDone();
            operator.rollback();
        }

        assertThat(answer.join().json().get("success").asBoolean()).isTrue();
        assertThat(queen.popPartition(queue, "out", "batch=9").transactionIds()).containsExactly("two", "three", "one");
    }

    @Test
    void aRequestThatWaitsTooLongFailsWithTheReason() throws SQLException {
        QueenClient hasty = server.startAnother(Map.of("DB_UNAVAILABLE_AFTER_MS", "300"));
        JsonNode held = popped("held");
        try (Connection operator = lock(held)) {
            Answer ack = hasty.post("/api/v1/ack", QueenClient.acknowledgment(held, "completed").toString());
            Answer failure = hasty.post("/api/v1/ack", QueenClient.acknowledgment(held, "failed").toString());
            Answer renewal = hasty.extend(held.get("leaseId").asText(), "{}");
            Answer transaction = hasty.transaction(ackAndPush(held, "one"));

            for (Answer answer : new Answer[]{ack, failure, renewal, transaction}) {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.json().get("error").asText()).contains("locked by another transaction");
            }
            operator.rollback();
        }

        assertThat(hasty.ack(held, "completed").get("success").asBoolean()).isTrue();
    }

    private JsonNode popped(String partition) {
        queen.push(queue, partition, partition);
        return queen.popPartition(queue, partition).message();
    }

    private CompletableFuture<Answer> ackLater(JsonNode message, String status) {
        return queen.postLater("/api/v1/ack", QueenClient.acknowledgment(message, status).toString());
    }

    private String ackAndPush(JsonNode message, String transactionId) {
        return """
                {"requiredLeases":["%s"],"operations":[
                  {"type":"ack","transactionId":"%s","partitionId":"%s","consumerGroup":"%s"},
                  {"type":"push","items":[{"queue":"%s","partition":"out","transactionId":"%s","payload":1}]}]}"""
                .formatted(message.get("leaseId").asText(), message.get("transactionId").asText(),
                        message.get("partitionId").asText(), message.get("consumerGroup").asText(), queue,
                        transactionId);
    }

    /** Opens a transaction that locks the cursors of the partitions of these messages. */
    private static Connection lock(JsonNode... messages) throws SQLException {
        Connection connection = server.database().connect();
        connection.setAutoCommit(false);
        for (JsonNode message : messages) {
            TestShards.everywhere(connection, "select from cursor where partition_id = ?::uuid for update",
                    message.get("partitionId").asText());
        }
        return connection;
    }
}
