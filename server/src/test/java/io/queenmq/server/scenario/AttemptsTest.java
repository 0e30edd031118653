package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** W17: attempts belong to messages, and a lease that runs out is one. */
class AttemptsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** Each letter ends one delivery: n is a nack, x a lease that runs out. */
    @ParameterizedTest
    @CsvSource({"0,n", "0,x", "1,nn", "1,xx", "1,nx", "1,xn", "3,nxnx", "3,xxxn"})
    void aMessageIsDeliveredOnceMoreThanTheRetryLimitHoweverItFails(int retryLimit, String failures) {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":" + retryLimit + "}");
        queen.push(queue, "a", "poison", "innocent");

        for (int i = 0; i < failures.length(); i++) {
            JsonNode message = queen.popLane(queue, "a").message();
            assertThat(message.get("transactionId").asText()).as("delivery " + i).isEqualTo("poison");
            assertThat(message.get("retryCount").asInt()).isEqualTo(i);
            if (failures.charAt(i) == 'n') {
                queen.ack(message, "failed");
            } else {
                server.expireLeases(queue);
            }
        }

        JsonNode next = queen.popLane(queue, "a").message();
        assertThat(next.get("transactionId").asText()).isEqualTo("innocent");
        assertThat(next.get("retryCount").asInt()).isZero();
        assertThat(server.deadLetters(queue)).containsExactly("poison " + (retryLimit + 1));
    }

    @Test
    void theMessageAfterADeadOneHasAllItsAttempts() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1", "2");

        List<String> deliveries = new ArrayList<>();
        for (Answer popped = queen.pop(queue); !popped.isEmpty(); popped = queen.pop(queue)) {
            deliveries.add(popped.message().get("transactionId").asText());
            queen.ackAll(popped, "failed");
        }

        assertThat(deliveries).containsExactly("1", "1", "2", "2");
        assertThat(server.deadLetters(queue)).containsExactly("1 2", "2 2");
    }

    @Test
    void aBatchWhoseConsumerDiesIsChargedToItsFirstMessageWhichIsThenDeliveredAlone() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1", "2", "3");
        queen.popLane(queue, "a", "batch=3");
        server.expireLeases(queue);

        Answer alone = queen.popLane(queue, "a", "batch=3");
        queen.ackAll(alone, "completed");
        Answer rest = queen.popLane(queue, "a", "batch=3");

        assertThat(alone.transactionIds()).containsExactly("1");
        assertThat(alone.message().get("retryCount").asInt()).isOne();
        assertThat(rest.transactionIds()).containsExactly("2", "3");
        assertThat(rest.messages()).allMatch(message -> message.get("retryCount").asInt() == 0);
    }

    @Test
    void groupsCountForThemselves() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":0}");
        queen.push(queue, "a", "1");

        queen.ackAll(queen.pop(queue, "consumerGroup=one"), "failed");

        assertThat(queen.pop(queue, "consumerGroup=one").isEmpty()).isTrue();
        assertThat(queen.pop(queue, "consumerGroup=two").message().get("retryCount").asInt()).isZero();
    }

    @Test
    void aMessageThatSucceedsAtLastIsForgotten() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1");
        queen.ackAll(queen.pop(queue), "failed");
        queen.ackAll(queen.pop(queue), "completed");

        assertThat(queen.pop(queue).isEmpty()).isTrue();
        assertThat(server.deadLetters(queue)).isEmpty();
        assertThat(server.select("select 1 from queen.failure f join queen.partition p on p.id = f.partition_id"
                + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue)).isEmpty();
    }

    @Test
    void theRetryDelayHoldsTheLaneAndNoOther() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "b", "3");
        queen.ackAll(queen.popLane(queue, "a"), "failed");

        assertThat(queen.popLane(queue, "a", "batch=9").isEmpty()).isTrue();
        assertThat(queen.pop(queue, "batch=9", "partitions=9").transactionIds()).containsExactly("3");

        server.endRetryDelays(queue);
        assertThat(queen.popLane(queue, "a", "batch=9").transactionIds()).containsExactly("1");
    }

    @Test
    void theRetryDelayDoublesWithEachAttempt() {
        queen.configure(queue, "{\"retryDelay\":1000,\"retryLimit\":5}");
        queen.push(queue, "a", "1");

        List<Integer> delays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            queen.ackAll(queen.popLane(queue, "a"), "failed");
            delays.add(Integer
                    .valueOf(server.select("select round(extract(epoch from f.retry_at - f.failed_at) * 1000)::int"
                            + " from queen.failure f join queen.partition p on p.id = f.partition_id"
                            + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue).getFirst()));
            server.endRetryDelays(queue);
        }

        assertThat(delays).containsExactly(1000, 2000, 4000, 8000);
    }

    @Test
    void aDeadLetterIsACopyThatOutlivesTheMessage() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();
        queen.post("/api/v1/ack",
                QueenClient.acknowledgment(message, "dlq").put("error", "no such account").toString());
        server.update("delete from queen.segment where partition_id = ?::uuid", message.get("partitionId").asText());

        assertThat(server.select("select convert_from(line, 'UTF8') || error from queen.dead_letter"
                + " where partition_id = ?::uuid", message.get("partitionId").asText()))
                .singleElement().asString().contains("\"data\":{\"text\":\"1\"}").endsWith("no such account");
    }
}
