package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The responses to pops, as clients read them. */
class PopContractTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void theResponseContainsEveryFieldAtTheTopAndInEachMessage() {
        JsonNode stored = queen.push(queue, "a", "1").list().getFirst();

        Answer answer = queen.pop(queue, "consumerGroup=g");

        assertThat(answer.status()).isEqualTo(200);
        JsonNode top = answer.json();
        assertThat(Answer.fieldsOf(top)).containsExactlyInAnyOrder("success", "queue", "partition", "partitionId",
                "leaseId", "consumerGroup", "partitionsClaimed", "messages");
        assertThat(top.get("success").asBoolean()).isTrue();
        assertThat(top.get("queue").asText()).isEqualTo(queue);
        assertThat(top.get("partition").asText()).isEqualTo("a");
        assertThat(top.get("partitionId")).isEqualTo(stored.get("partitionId"));
        assertThat(top.get("consumerGroup").asText()).isEqualTo("g");
        assertThat(top.get("partitionsClaimed").asInt()).isOne();
        assertThat(UUID.fromString(top.get("leaseId").asText())).isNotNull();
        JsonNode message = answer.message();
        assertThat(Answer.fieldsOf(message)).containsExactlyInAnyOrder("id", "transactionId", "traceId", "data",
                "producerSub", "createdAt", "partition", "partitionId", "leaseId", "consumerGroup", "queue",
                "retryCount", "offset", "deliveryAttempt");
        assertThat(message.get("id")).isEqualTo(stored.get("messageId"));
        assertThat(message.get("data")).isEqualTo(Answer.parse("{\"text\":\"1\"}"));
        assertThat(message.get("producerSub").isNull()).isTrue();
        assertThat(message.get("leaseId")).isEqualTo(top.get("leaseId"));
        assertThat(message.get("partition").asText()).isEqualTo("a");
        assertThat(message.get("partitionId")).isEqualTo(top.get("partitionId"));
        assertThat(message.get("consumerGroup").asText()).isEqualTo("g");
        assertThat(message.get("queue").asText()).isEqualTo(queue);
        assertThat(message.get("retryCount").asInt()).isZero();
        assertThat(message.get("offset")).isEqualTo(stored.get("offset"));
        assertThat(message.get("deliveryAttempt").asInt()).isOne();
    }

    @Test
    void offsetsOfPushesAndPopsArePositionsInThePartition() {
        assertThat(queen.push(queue, "a", "1", "2").each("offset")).containsExactly("0", "1");
        assertThat(queen.push(queue, "b", "1").each("offset")).containsExactly("0");
        Answer repeated = queen.push(queue, "a", "2", "3");

        assertThat(repeated.list().getFirst().has("offset")).isFalse();
        assertThat(repeated.list().getLast().get("offset").asInt()).isEqualTo(2);
        Answer popped = queen.popPartition(queue, "a", "batch=10");
        assertThat(popped.messages().stream().map(each -> each.get("offset").asInt())).containsExactly(0, 1, 2);
    }

    @Test
    void aFailedMessageIsDeliveredWithTheNextAttempt() {
        queen.configure(queue, "{\"retryLimit\":3,\"retryDelay\":0}");
        queen.push(queue, "a", "1");
        queen.ackAll(queen.pop(queue), "failed");

        Answer again = queen.pop(queue, "wait=true", "timeout=20000");

        assertThat(again.message().get("deliveryAttempt").asInt()).isEqualTo(2);
    }

    @Test
    void leaseSecondsReplacesTheLeaseTimeOfTheQueue() {
        queen.configure(queue, "{\"leaseTime\":600}");
        queen.push(queue, "a", "1");

        Answer first = queen.pop(queue, "leaseSeconds=1");
        Answer second = queen.pop(queue, "wait=true", "timeout=20000");

        assertThat(first.transactionIds()).containsExactly("1");
        assertThat(second.transactionIds()).containsExactly("1");
        assertThat(second.leaseId()).isNotEqualTo(first.leaseId());
        assertThat(server.select("select 1 from queen.cursor where lease_id = ?::uuid and lease_until >"
                + " clock_timestamp() + interval '5 minutes'", second.leaseId())).hasSize(1);
    }

    @Test
    void leaseSecondsOutOfRangeIsRejectedWithItsValue() {
        for (String wrong : List.of("0", "-1", "604801", "soon")) {
            Answer answer = queen.pop(queue, "leaseSeconds=" + wrong);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().get("error").asText())
                    .isEqualTo("leaseSeconds is \"" + wrong + "\"; use an integer from 1 to 604800");
        }
    }

    @Test
    void aPopWithoutAGroupIsInQueueModeAndGetsOneMessage() {
        queen.push(queue, "a", "1", "2");

        Answer answer = queen.pop(queue);

        assertThat(answer.json().get("consumerGroup").asText()).isEqualTo("__QUEUE_MODE__");
        assertThat(answer.transactionIds()).containsExactly("1");
    }

    @Test
    void severalPartitionsShareOneLeaseAndTheBatch() {
        queen.configure(queue, "{}");
        char name = 'a';
        for (String partition : server.database().partitionsTogether(queue, 4)) {
            queen.push(queue, partition, name + "1", name + "2", name + "3");
            name++;
        }

        Answer answer = queen.pop(queue, "batch=8", "partitions=3");

        assertThat(answer.messages()).hasSize(8);
        assertThat(answer.json().get("partitionsClaimed").asInt()).isEqualTo(3);
        assertThat(answer.messages()).allMatch(each -> each.get("leaseId").asText().equals(answer.leaseId()));
        assertThat(answer.messages().getFirst().get("partition")).isEqualTo(answer.json().get("partition"));
        assertThat(answer.messages().stream().map(each -> each.get("partition").asText()).distinct()).hasSize(3);
        assertThat(answer.transactionIds()).isEqualTo(answer.transactionIds().stream()
                .sorted((a, b) -> a.charAt(0) == b.charAt(0) ? a.compareTo(b) : 0).toList());
    }

    @Test
    void theLastPartitionOfABatchKeepsItsOtherMessages() {
        queen.configure(queue, "{}");
        List<String> partitions = server.database().partitionsTogether(queue, 2);
        queen.push(queue, partitions.get(0), "1", "2", "3");
        queen.push(queue, partitions.get(1), "4", "5", "6");
        Answer first = queen.pop(queue, "batch=4", "partitions=2");
        queen.ackAll(first, "completed");

        Answer second = queen.pop(queue, "batch=9", "partitions=2");

        List<String> all = new ArrayList<>(first.transactionIds());
        all.addAll(second.transactionIds());
        assertThat(first.messages()).hasSize(4);
        assertThat(all).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
    }

    @Test
    void aLeaseOverSeveralPartitionsIsRenewedAsAWholeAndEndsPerPartition() {
        queen.configure(queue, "{\"leaseTime\":60}");
        List<String> partitions = server.database().partitionsTogether(queue, 2);
        queen.push(queue, partitions.get(0), "1");
        queen.push(queue, partitions.get(1), "2");
        Answer popped = queen.pop(queue, "batch=9", "partitions=9");

        assertThat(queen.extend(popped.leaseId(), "{\"seconds\":600}").status()).isEqualTo(200);

        assertThat(server.select("select 1 from queen.cursor where lease_id = ?::uuid and lease_until >"
                + " clock_timestamp() + interval '5 minutes'", popped.leaseId())).hasSize(2);
        assertThat(queen.ackAll(popped, "completed").each("leaseReleased")).containsOnly("true");
    }

    @Test
    void autoAckFinishesMessagesOnDeliveryWithoutALease() {
        queen.push(queue, "a", "1", "2", "3");

        Answer answer = queen.pop(queue, "autoAck=true", "batch=2");

        assertThat(answer.leaseId()).isEmpty();
        assertThat(answer.messages())
                .allMatch(message -> message.get("leaseId").asText().isEmpty() && !message.get("leaseId").isNull());
        assertThat(queen.pop(queue, "autoAck=true", "batch=9").transactionIds()).containsExactly("3");
        assertThat(queen.pop(queue, "autoAck=true").isEmpty()).isTrue();
    }

    @Test
    void groupsReadAllMessagesAndPopsWithoutAGroupShareThem() {
        queen.push(queue, "a", "1", "2");

        assertThat(queen.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("1", "2");
        assertThat(queen.pop(queue, "consumerGroup=h", "batch=9").transactionIds()).containsExactly("1", "2");
        assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("1", "2");
        assertThat(queen.pop(queue, "batch=9").isEmpty()).isTrue();
    }

    @Test
    void aFilteredPopNeedsAFilterAndNamesTheQueueOfEachMessage() {
        String namespace = "n" + System.nanoTime();
        queen.push(namespace + ".x", "a", "1");
        queen.push(namespace + ".y", "a", "2");
        queen.push("other" + namespace, "a", "3");

        // One response may contain only one of them, because the queues are tried one after the other.
        List<String> delivered = new ArrayList<>();
        Await.until(() -> delivered
                .addAll(queen.get("/api/v1/pop?namespace=" + namespace + "&batch=9&partitions=9").messages().stream()
                        .map(each -> each.get("transactionId").asText() + " " + each.get("queue").asText()).toList())
                && delivered.size() >= 2);

        assertThat(delivered).containsExactlyInAnyOrder("1 " + namespace + ".x", "2 " + namespace + ".y");
        assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&batch=9&partitions=9").isEmpty()).isTrue();
    }
}
