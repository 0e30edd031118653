package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts are counted per message, and an expired lease is an attempt. */
class AttemptsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    /** Each letter ends one delivery: n is a nack, x an expired lease. */
    @ParameterizedTest
    @CsvSource({"0,n", "0,x", "1,nn", "1,xx", "1,nx", "1,xn", "3,nxnx", "3,xxxn"})
    void aMessageIsDeliveredOncePlusTheRetryLimitForAnyMixOfFailures(int retryLimit, String failures) {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":" + retryLimit + "}");
        queen.push(queue, "a", "poison", "innocent");

        for (int i = 0; i < failures.length(); i++) {
            JsonNode message = queen.popPartition(queue, "a").message();
            assertThat(message.get("transactionId").asText()).as("delivery " + i).isEqualTo("poison");
            assertThat(message.get("retryCount").asInt()).isEqualTo(i);
            if (failures.charAt(i) == 'n') {
                queen.ack(message, "failed");
            } else {
                server.expireLeases(queue);
            }
        }

        JsonNode next = queen.popPartition(queue, "a").message();
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
    void anExpiredLeaseChargesAllItsMessagesAndTheLastAttemptIsSingle() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1", "2", "3");
        queen.popPartition(queue, "a", "batch=3");
        server.expireLeases(queue);

        for (String id : List.of("1", "2", "3")) {
            Answer alone = queen.popPartition(queue, "a", "batch=3");
            assertThat(alone.transactionIds()).containsExactly(id);
            assertThat(alone.message().get("retryCount").asInt()).isOne();
            queen.ackAll(alone, "completed");
        }
        assertThat(queen.popPartition(queue, "a", "batch=3").isEmpty()).isTrue();
    }

    @Test
    void aPopReturnsTheNumberOfFailuresOfEachMessage() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":5}");
        queen.push(queue, "a", "1", "2", "3", "4");
        queen.ackEach(queen.popPartition(queue, "a", "batch=4"), "retry", "failed", "failed");
        queen.ackEach(queen.popPartition(queue, "a", "batch=4"), "retry", "failed");

        assertThat(queen.popPartition(queue, "a", "batch=4").messages())
                .extracting(message -> message.get("retryCount").asInt()).containsExactly(0, 2, 1, 0);
    }

    @Nested
    class BatchOfAHundredWithThreeRetries {
        private static final String[] ALL = IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new);
        private final List<Integer> sizes = new ArrayList<>();
        private final Set<String> completed = new TreeSet<>();

        BatchOfAHundredWithThreeRetries() {
            queen.configure(queue, "{\"retryDelay\":0}");
            queen.push(queue, "a", ALL);
        }

        @Test
        void aBatchThatFailsCompletelyIsRedeliveredCompletely() {
            queen.ackAll(next(), "failed");
            queen.ackAll(next(), "failed");
            queen.ackAll(next(), "completed");

            assertThat(sizes).containsExactly(100, 100, 100);
            assertThat(next().isEmpty()).isTrue();
            assertThat(server.deadLetters(queue)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "57", "99"})
        void onlyFailingMessagesAreDeadLetteredWhenWholeBatchesFail(String poison) {
            int failed = 0;
            for (Answer popped = next(); !popped.isEmpty(); popped = next()) {
                if (popped.transactionIds().contains(poison)) {
                    queen.ackAll(popped, "failed");
                    failed++;
                } else {
                    complete(popped);
                }
            }

            assertThat(failed).isEqualTo(4);
            assertThat(server.deadLetters(queue)).containsExactly(poison + " 4");
            assertThat(completed).hasSize(99).doesNotContain(poison);
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "57", "99"})
        void onlyFailingMessagesAreDeadLetteredWhenTheyCrashConsumers(String poison) {
            int crashes = 0;
            for (Answer popped = next(); !popped.isEmpty(); popped = next()) {
                if (popped.transactionIds().contains(poison)) {
                    server.expireLeases(queue);
                    crashes++;
                } else {
                    complete(popped);
                }
            }

            assertThat(crashes).isEqualTo(4);
            assertThat(server.deadLetters(queue)).containsExactly(poison + " 4");
            assertThat(completed).hasSize(99).doesNotContain(poison);
        }

        @Test
        void onlyTheFailedMessageIsRedelivered() {
            Answer popped = next();
            queen.ackEach(popped, popped.transactionIds().stream().map(id -> id.equals("57") ? "failed" : "completed")
                    .toArray(String[]::new));

            Answer again = next();

            assertThat(again.transactionIds()).containsExactly("57");
            queen.ackAll(again, "completed");
            assertThat(next().isEmpty()).isTrue();
        }

        private Answer next() {
            Answer popped = queen.popPartition(queue, "a", "batch=100");
            if (!popped.isEmpty()) {
                sizes.add(popped.messages().size());
            }
            return popped;
        }

        private void complete(Answer popped) {
            queen.ackAll(popped, "completed");
            completed.addAll(popped.transactionIds());
        }
    }

    /** Partition "a" has a message with its last attempt, so a pop of many partitions must not return messages of other partitions with it. */
    @Test
    void theLastAttemptIsSingleInAPopOfManyPartitions() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
        queen.push(queue, "a", "1", "2");
        queen.ackAll(queen.popPartition(queue, "a", "batch=9"), "failed");
        queen.push(queue, "b", "3");
        queen.push(queue, "c", "4");

        List<Set<String>> deliveries = new ArrayList<>();
        for (Answer popped = queen.pop(queue, "batch=9", "partitions=9"); !popped.isEmpty(); popped = queen.pop(queue,
                "batch=9", "partitions=9")) {
            deliveries.add(Set.copyOf(popped.transactionIds()));
            queen.ackAll(popped, "completed");
        }

        assertThat(deliveries).contains(Set.of("1"), Set.of("2"));
        assertThat(deliveries.stream().flatMap(Set::stream)).containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    @Test
    void groupsCountAttemptsSeparately() {
        queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":0}");
        queen.push(queue, "a", "1");

        queen.ackAll(queen.pop(queue, "consumerGroup=one"), "failed");

        assertThat(queen.pop(queue, "consumerGroup=one").isEmpty()).isTrue();
        assertThat(queen.pop(queue, "consumerGroup=two").message().get("retryCount").asInt()).isZero();
    }

    @Test
    void theAttemptsOfACompletedMessageAreRemoved() {
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
    void theRetryDelayDelaysOnlyItsPartition() {
        queen.configure(queue, "{\"retryDelay\":600000}");
        queen.push(queue, "a", "1", "2");
        queen.push(queue, "b", "3");
        queen.ackAll(queen.popPartition(queue, "a"), "failed");

        assertThat(queen.popPartition(queue, "a", "batch=9").isEmpty()).isTrue();
        assertThat(queen.pop(queue, "batch=9", "partitions=9").transactionIds()).containsExactly("3");

        server.endRetryDelays(queue);
        assertThat(queen.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "2");
    }

    /** A consumer of a published client stops after two idle seconds, and must receive its second retry before. */
    @Test
    void theSecondRetryIsDeliveredWithinTwoSecondsOfTheFirst() {
        queen.push(queue, "a", "1");
        for (int i = 0; i < 2; i++) {
            queen.ackAll(queen.pop(queue, "wait=true", "timeout=2000"), "failed");
        }

        assertThat(queen.pop(queue, "wait=true", "timeout=2000").message().get("retryCount").asInt()).isEqualTo(2);
    }

    @Test
    void theRetryDelayGrowsByTheBackoffOfTheQueue() {
        queen.configure(queue, "{\"retryDelay\":1000,\"retryLimit\":5,\"retryBackoff\":2}");
        queen.push(queue, "a", "1");

        List<Integer> delays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            queen.ackAll(queen.popPartition(queue, "a"), "failed");
            delays.add(Integer
                    .valueOf(server.select("select round(extract(epoch from f.retry_at - f.failed_at) * 1000)::int"
                            + " from queen.failure f join queen.partition p on p.id = f.partition_id"
                            + " join queen.queue q on q.id = p.queue_id where q.name = ?", queue).getFirst()));
            server.endRetryDelays(queue);
        }

        assertThat(delays).containsExactly(1000, 2000, 4000, 8000);
    }

    @Test
    void aDeadLetterRemainsAfterItsMessageIsDeleted() {
        queen.push(queue, "a", "1");
        JsonNode message = queen.pop(queue).message();
        queen.post("/api/v1/ack",
                QueenClient.acknowledgment(message, "dlq").put("error", "no such account").toString());
        server.updateEverywhere("delete from segment where partition_id = ?::uuid",
                message.get("partitionId").asText());

        assertThat(server.select(
                "select convert_from(line, 'UTF8') || error from queen.dead_letter" + " where partition_id = ?::uuid",
                message.get("partitionId").asText())).singleElement().asString().contains("\"data\":{\"text\":\"1\"}")
                .endsWith("no such account");
    }
}
