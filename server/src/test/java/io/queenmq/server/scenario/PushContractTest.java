package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The responses to pushes, as clients read them. */
class PushContractTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void theResultOfAStoredMessageContainsItsIdsInBothSpellings() {
        String traceId = UUID.randomUUID().toString();

        Answer answer = queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue
                + "\",\"partition\":\"a\",\"transactionId\":\"t\",\"traceId\":\"" + traceId + "\",\"payload\":1}]}");

        assertThat(answer.status()).isEqualTo(201);
        JsonNode stored = answer.list().getFirst();
        assertThat(Answer.fieldsOf(stored)).containsExactlyInAnyOrder("index", "status", "transaction_id",
                "transactionId", "message_id", "messageId", "partition_id", "partitionId", "trace_id", "traceId",
                "queueName", "offset");
        assertThat(stored.get("index").asInt()).isZero();
        assertThat(stored.get("status").asText()).isEqualTo("queued");
        assertThat(stored.get("transaction_id").asText()).isEqualTo("t");
        assertThat(stored.get("trace_id").asText()).isEqualTo(traceId);
        assertThat(stored.get("queueName").asText()).isEqualTo(queue);
        assertThat(UUID.fromString(stored.get("message_id").asText()).version()).isEqualTo(7);
        for (String id : List.of("transaction", "message", "partition", "trace")) {
            assertThat(stored.get(id + "Id")).isEqualTo(stored.get(id + "_id"));
        }
    }

    @Test
    void aDuplicateReturnsTheIdOfTheStoredMessage() {
        Answer answer = queen.push(queue, "a", "t", "t");

        JsonNode won = answer.list().get(0);
        JsonNode lost = answer.list().get(1);
        assertThat(answer.each("index")).containsExactly("0", "1");
        assertThat(lost.get("status").asText()).isEqualTo("duplicate");
        assertThat(lost.get("message_id")).isEqualTo(won.get("message_id"));
        assertThat(lost.get("messageId")).isEqualTo(won.get("message_id"));
        assertThat(lost.get("transaction_id").asText()).isEqualTo("t");
        assertThat(lost.get("transactionId").asText()).isEqualTo("t");
        assertThat(lost.get("queueName").asText()).isEqualTo(queue);
    }

    /** The first message of a request must not be stored before the others, even if the server is idle or the queue is new. */
    @Test
    void messagesOfOneRequestToAPartitionAreStoredTogether() {
        queen.push(queue, "a", "1", "2", "3");
        queen.push(queue, "a", "4", "5");

        assertThat(server.select("select s.base || '+' || s.count from queen.segment s"
                + " join queen.partition p on p.id = s.partition_id join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? order by s.base", queue)).containsExactly("0+3", "3+2");
    }

    @Test
    void resultsAreInTheOrderOfTheItems() {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            items.append(i == 0 ? "" : ",").append("{\"queue\":\"").append(queue).append("-").append(i % 3)
                    .append("\",\"partition\":\"").append(i % 5).append("\",\"transactionId\":\"t").append(i)
                    .append("\"}");
        }

        Answer answer = queen.post("/api/v1/push", "{\"items\":[" + items + "],\"bufferMs\":1}");

        for (int i = 0; i < 30; i++) {
            assertThat(answer.list().get(i).get("index").asInt()).isEqualTo(i);
            assertThat(answer.list().get(i).get("transactionId").asText()).isEqualTo("t" + i);
            assertThat(answer.list().get(i).get("queueName").asText()).isEqualTo(queue + "-" + i % 3);
        }
    }

    @Test
    void aMessageWithoutTransactionIdGetsOneAndWithoutPartitionUsesDefault() {
        JsonNode stored = queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\"}]}").list().getFirst();

        JsonNode message = queen.popPartition(queue, "Default").message();

        assertThat(stored.get("transactionId").asText()).isNotEmpty();
        assertThat(message.get("transactionId")).isEqualTo(stored.get("transactionId"));
        assertThat(message.get("id")).isEqualTo(stored.get("messageId"));
        assertThat(message.get("data").isNull()).isTrue();
        assertThat(message.get("traceId").isNull()).isTrue();
    }

    @Test
    void aQueueCreatedByAPushHasTheNamespaceOfItsName() {
        String namespace = "n" + System.nanoTime();
        queen.push(namespace + ".task.rest", "a", "1");
        queen.push(namespace, "a", "2");

        assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&task=task").transactionIds())
                .containsExactly("1");
        assertThat(queen.get("/api/v1/pop?namespace=" + namespace).transactionIds()).containsExactly("2");
    }
}
