package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The responses to acks, as clients read them. */
class AckContractTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void anAckReturnsAnArrayOfOneResult() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        Answer answer = queen.post("/api/v1/ack", QueenClient.acknowledgment(message, "completed").toString());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.list()).hasSize(1);
        JsonNode acked = answer.list().getFirst();
        assertThat(Answer.fieldsOf(acked)).containsExactlyInAnyOrder("index", "transactionId", "success", "error",
                "queueName", "partitionName", "leaseReleased", "dlq");
        assertThat(acked.get("index").asInt()).isZero();
        assertThat(acked.get("transactionId").asText()).isEqualTo("1");
        assertThat(acked.get("success").asBoolean()).isTrue();
        assertThat(acked.get("error").isNull()).isTrue();
        assertThat(acked.get("queueName").asText()).isEqualTo(queue);
        assertThat(acked.get("partitionName").asText()).isEqualTo("a");
        assertThat(acked.get("leaseReleased").asBoolean()).isTrue();
        assertThat(acked.get("dlq").asBoolean()).isFalse();
    }

    @Test
    void aNullFieldEqualsAMissingField() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();

        Answer answer = queen.post("/api/v1/ack",
                "{\"transactionId\":\"1\",\"partitionId\":" + message.get("partitionId")
                        + ",\"leaseId\":null,\"status\":null,\"consumerGroup\":null,\"error\":null}");

        assertThat(answer.each("success")).containsExactly("true");
        assertThat(queen.pop(queue).isEmpty()).isTrue();
    }

    @Test
    void aBatchMayMixStatusesAndPartitionsAndReturnsResultsInOrder() {
        queen.configure(queue, "{\"retryDelay\":0}");
        List<String> partitions = server.database().partitionsTogether(queue, 2);
        queen.push(queue, partitions.get(0), "a1", "a2");
        queen.push(queue, partitions.get(1), "b1", "b2");
        Answer popped = queen.pop(queue, "batch=9", "partitions=2", "consumerGroup=g");

        Answer acked = queen.ackEach(popped, "success", "dlq", "completed", "failed");

        assertThat(acked.each("index")).containsExactly("0", "1", "2", "3");
        assertThat(acked.each("transactionId")).isEqualTo(popped.transactionIds());
        assertThat(acked.each("success")).containsOnly("true");
        assertThat(acked.each("dlq")).containsExactly("false", "true", "false", "false");
        Answer again = queen.pop(queue, "batch=9", "partitions=2", "consumerGroup=g");
        assertThat(again.transactionIds()).containsExactly(popped.transactionIds().get(3));
    }

    @Test
    void theGroupOfABatchAppliesToAllItsAcks() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue, "consumerGroup=g").message();

        Answer answer = queen.ackBatch("g",
                QueenClient.acknowledgment(message, "completed").put("consumerGroup", "another group"));

        assertThat(answer.each("success")).containsExactly("true");
    }

    @Test
    void repeatedAcksSucceed() {
        queen.push(queue, "a", "1", "2");
        Answer popped = queen.pop(queue, "batch=2");

        for (int i = 0; i < 3; i++) {
            assertThat(queen.ackAll(popped, "completed").each("success")).as("ack " + i).containsOnly("true");
        }
        assertThat(server.startAnother().ackAll(popped, "completed").each("success")).containsOnly("true");
        assertThat(
                queen.ackBatch("__QUEUE_MODE__", QueenClient.acknowledgment(popped.messages().getFirst(), "completed"),
                        QueenClient.acknowledgment(popped.messages().getFirst(), "completed")).each("success"))
                .containsExactly("true", "true");
    }

    @Test
    void theSameMessageTwiceInOneBatchIsAckedOnce() {
        queen.push(queue, "a", "1", "2");
        JsonNode ack = QueenClient.acknowledgment(queen.pop(queue).message(), "completed");

        assertThat(queen.ackBatch("__QUEUE_MODE__", ack, ack).each("success")).containsExactly("true", "true");

        assertThat(queen.pop(queue).transactionIds()).containsExactly("2");
    }

    @Test
    void theSameMessageFailedTwiceInOneBatchFailsOnce() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1");
        JsonNode nack = QueenClient.acknowledgment(queen.pop(queue).message(), "failed");

        Answer answer = queen.ackBatch("__QUEUE_MODE__", nack, nack);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.each("dlq")).containsExactly("false", "false");
        assertThat(queen.pop(queue).message().get("retryCount").asInt()).isOne();
    }

    @Test
    void anyServerAcceptsAnAck() {
        queen.push(queue, "a", "1", "2", "3");
        Answer popped = queen.pop(queue, "batch=2");
        QueenClient another = server.startAnother();

        assertThat(another.ackEach(popped, "completed", "completed").each("leaseReleased")).containsOnly("true");

        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("3");
    }
}
