package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field of every answer, as clients read them. */
class ContractTest {
    private static final String QUEUE_MODE = "__QUEUE_MODE__";

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Nested
    class Push {
        @Test
        void aStoredMessageIsAnsweredWithItsIdsInBothSpellings() {
            String traceId = UUID.randomUUID().toString();

            Answer answer = queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue
                    + "\",\"partition\":\"a\",\"transactionId\":\"t\",\"traceId\":\"" + traceId
                    + "\",\"payload\":1}]}");

            assertThat(answer.status()).isEqualTo(201);
            JsonNode stored = answer.list().getFirst();
            assertThat(fieldsOf(stored)).containsExactlyInAnyOrder("index", "status", "transaction_id", "transactionId",
                    "message_id", "messageId", "partition_id", "partitionId", "trace_id", "traceId", "queueName");
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
        void aDuplicateNamesTheMessageThatWon() {
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

        @Test
        void answersStandInTheOrderOfTheItemsWhereverTheyGo() {
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
        void aMessageWithoutTransactionIdGetsOneAndWithoutPartitionGoesToDefault() {
            JsonNode stored = queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\"}]}").list()
                    .getFirst();

            JsonNode message = queen.popLane(queue, "Default").message();

            assertThat(stored.get("transactionId").asText()).isNotEmpty();
            assertThat(message.get("transactionId")).isEqualTo(stored.get("transactionId"));
            assertThat(message.get("id")).isEqualTo(stored.get("messageId"));
            assertThat(message.get("data").isNull()).isTrue();
            assertThat(message.get("traceId").isNull()).isTrue();
        }

        @Test
        void aQueueCreatedByAPushIsFiledByItsName() {
            String namespace = "n" + System.nanoTime();
            queen.push(namespace + ".task.rest", "a", "1");
            queen.push(namespace, "a", "2");

            assertThat(queen.get("/api/v1/pop?namespace=" + namespace + "&task=task").transactionIds())
                    .containsExactly("1");
            assertThat(queen.get("/api/v1/pop?namespace=" + namespace).transactionIds()).containsExactly("2");
        }
    }

    @Nested
    class Pop {
        @Test
        void theAnswerHasEveryFieldAtTheTopAndInEachMessage() {
            JsonNode stored = queen.push(queue, "a", "1").list().getFirst();

            Answer answer = queen.pop(queue, "consumerGroup=g");

            assertThat(answer.status()).isEqualTo(200);
            JsonNode top = answer.json();
            assertThat(fieldsOf(top)).containsExactlyInAnyOrder("success", "queue", "partition", "partitionId",
                    "leaseId",
                    "consumerGroup", "partitionsClaimed", "messages");
            assertThat(top.get("success").asBoolean()).isTrue();
            assertThat(top.get("queue").asText()).isEqualTo(queue);
            assertThat(top.get("partition").asText()).isEqualTo("a");
            assertThat(top.get("partitionId")).isEqualTo(stored.get("partitionId"));
            assertThat(top.get("consumerGroup").asText()).isEqualTo("g");
            assertThat(top.get("partitionsClaimed").asInt()).isOne();
            assertThat(UUID.fromString(top.get("leaseId").asText())).isNotNull();
            JsonNode message = answer.message();
            assertThat(fieldsOf(message)).containsExactlyInAnyOrder("id", "transactionId", "traceId", "data",
                    "producerSub", "createdAt", "partition", "partitionId", "leaseId", "consumerGroup", "queue",
                    "retryCount");
            assertThat(message.get("id")).isEqualTo(stored.get("messageId"));
            assertThat(message.get("data")).isEqualTo(Answer.parse("{\"text\":\"1\"}"));
            assertThat(message.get("producerSub").isNull()).isTrue();
            assertThat(message.get("leaseId")).isEqualTo(top.get("leaseId"));
            assertThat(message.get("partition").asText()).isEqualTo("a");
            assertThat(message.get("partitionId")).isEqualTo(top.get("partitionId"));
            assertThat(message.get("consumerGroup").asText()).isEqualTo("g");
            assertThat(message.get("queue").asText()).isEqualTo(queue);
            assertThat(message.get("retryCount").asInt()).isZero();
        }

        @Test
        void whoNamesNoGroupIsInQueueModeAndGetsOneMessage() {
            queen.push(queue, "a", "1", "2");

            Answer answer = queen.pop(queue);

            assertThat(answer.json().get("consumerGroup").asText()).isEqualTo(QUEUE_MODE);
            assertThat(answer.transactionIds()).containsExactly("1");
        }

        @Test
        void severalLanesShareOneLeaseAndTheBatch() {
            for (String lane : List.of("a", "b", "c", "d")) {
                queen.push(queue, lane, lane + "1", lane + "2", lane + "3");
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
        void theLaneThatGotTheRestOfTheBatchKeepsWhatWasLeft() {
            queen.push(queue, "a", "1", "2", "3");
            queen.push(queue, "b", "4", "5", "6");
            Answer first = queen.pop(queue, "batch=4", "partitions=2");
            queen.ackAll(first, "completed");

            Answer second = queen.pop(queue, "batch=9", "partitions=2");

            List<String> all = new ArrayList<>(first.transactionIds());
            all.addAll(second.transactionIds());
            assertThat(first.messages()).hasSize(4);
            assertThat(all).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
        }

        @Test
        void aLeaseOverSeveralLanesIsRenewedAtOnceAndEndsLaneByLane() {
            queen.configure(queue, "{\"leaseTime\":1}");
            queen.push(queue, "a", "1");
            queen.push(queue, "b", "2");
            Answer popped = queen.pop(queue, "batch=9", "partitions=9");

            assertThat(queen.extend(popped.leaseId(), "{\"seconds\":600}").status()).isEqualTo(200);

            assertThat(server.select("select 1 from queen.cursor where lease_id = ?::uuid and lease_until >"
                    + " clock_timestamp() + interval '5 minutes'", popped.leaseId())).hasSize(2);
            assertThat(queen.ackAll(popped, "completed").each("leaseReleased")).containsOnly("true");
        }

        @Test
        void autoAckFinishesOnDeliveryAndGivesNoLease() {
            queen.push(queue, "a", "1", "2", "3");

            Answer answer = queen.pop(queue, "autoAck=true", "batch=2");

            assertThat(answer.leaseId()).isEmpty();
            assertThat(answer.messages()).allMatch(message -> message.get("leaseId").asText().isEmpty()
                    && !message.get("leaseId").isNull());
            assertThat(queen.pop(queue, "autoAck=true", "batch=9").transactionIds()).containsExactly("3");
            assertThat(queen.pop(queue, "autoAck=true").isEmpty()).isTrue();
        }

        @Test
        void groupsReadEverythingAndThoseWithoutOneShareIt() {
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

            Answer answer = queen.get("/api/v1/pop?namespace=" + namespace + "&batch=9&partitions=9");

            assertThat(answer.transactionIds()).containsExactlyInAnyOrder("1", "2");
            assertThat(answer.messages().stream().map(each -> each.get("queue").asText()))
                    .containsExactlyInAnyOrder(namespace + ".x", namespace + ".y");
        }
    }

    @Nested
    class Ack {
        @Test
        void oneAckIsAnsweredWithAnArrayOfOne() {
            queen.push(queue, "a", "1");
            JsonNode message = queen.pop(queue).message();

            Answer answer = queen.post("/api/v1/ack", QueenClient.acknowledgment(message, "completed").toString());

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.list()).hasSize(1);
            JsonNode acked = answer.list().getFirst();
            assertThat(fieldsOf(acked)).containsExactlyInAnyOrder("index", "transactionId", "success", "error",
                    "queueName",
                    "partitionName", "leaseReleased", "dlq");
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
        void nullIsTheSameAsNothing() {
            queen.push(queue, "a", "1");
            JsonNode message = queen.pop(queue).message();

            Answer answer = queen.post("/api/v1/ack", "{\"transactionId\":\"1\",\"partitionId\":"
                    + message.get("partitionId")
                    + ",\"leaseId\":null,\"status\":null,\"consumerGroup\":null,\"error\":null}");

            assertThat(answer.each("success")).containsExactly("true");
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        @Test
        void aBatchMayMixStatusesAndLanesAndIsAnsweredInOrder() {
            queen.configure(queue, "{\"retryDelay\":0}");
            queen.push(queue, "a", "a1", "a2");
            queen.push(queue, "b", "b1", "b2");
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
        void theGroupOfABatchIsTheGroupOfAll() {
            queen.push(queue, "a", "1");
            JsonNode message = queen.pop(queue, "consumerGroup=g").message();

            Answer answer = queen.ackBatch("g",
                    QueenClient.acknowledgment(message, "completed").put("consumerGroup", "somebody else"));

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
            assertThat(queen.ackBatch(QUEUE_MODE, QueenClient.acknowledgment(popped.messages().getFirst(), "completed"),
                    QueenClient.acknowledgment(popped.messages().getFirst(), "completed")).each("success"))
                    .containsExactly("true", "true");
        }

        @Test
        void theSameMessageTwiceInOneBatchIsAckedOnce() {
            queen.push(queue, "a", "1", "2");
            JsonNode ack = QueenClient.acknowledgment(queen.pop(queue).message(), "completed");

            assertThat(queen.ackBatch(QUEUE_MODE, ack, ack).each("success")).containsExactly("true", "true");

            assertThat(queen.pop(queue).transactionIds()).containsExactly("2");
        }

        @Test
        void theSameMessageFailedTwiceInOneBatchFailsOnce() {
            queen.configure(queue, "{\"retryDelay\":0,\"retryLimit\":1}");
            queen.push(queue, "a", "1");
            JsonNode nack = QueenClient.acknowledgment(queen.pop(queue).message(), "failed");

            Answer answer = queen.ackBatch(QUEUE_MODE, nack, nack);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.each("dlq")).containsExactly("false", "false");
            assertThat(queen.pop(queue).message().get("retryCount").asInt()).isOne();
        }

        @Test
        void anAckMayGoToAnyServer() {
            queen.push(queue, "a", "1", "2", "3");
            Answer popped = queen.pop(queue, "batch=2");
            QueenClient another = server.startAnother();

            assertThat(another.ackEach(popped, "completed", "completed").each("leaseReleased")).containsOnly("true");

            assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("3");
        }
    }

    @Nested
    class Transaction {
        @Test
        void theAnswerHasAResultForEachItemAndAck() {
            queen.push(queue, "a", "1");
            JsonNode message = queen.pop(queue).message();

            Answer answer = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                    + "-out\",\"transactionId\":\"x\"},{\"queue\":\"" + queue + "-out\",\"transactionId\":\"y\"}]},"
                    + "{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":" + message.get("partitionId")
                    + "},{\"type\":\"push\",\"queue\":\"" + queue + "-out\",\"data\":5}],\"requiredLeases\":["
                    + message.get("leaseId") + "]}");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("success").asBoolean()).isTrue();
            assertThat(answer.json().get("transactionId").asText()).isNotEmpty();
            JsonNode results = answer.json().get("results");
            assertThat(results).hasSize(4);
            assertThat(fieldsOf(results.get(0))).contains("index", "type", "success", "transactionId", "messageId",
                    "partitionId", "queueName");
            assertThat(fieldsOf(results.get(2))).contains("index", "type", "success", "transactionId", "error", "dlq");
            assertThat(results.get(2).get("type").asText()).isEqualTo("ack");
            assertThat(results.get(3).get("index").asInt()).isEqualTo(3);
            Answer out = queen.pop(queue + "-out", "batch=9");
            assertThat(out.messages()).hasSize(3);
            assertThat(out.messages().get(0).get("data")).isEqualTo(Answer.parse("{}"));
            assertThat(out.messages().get(2).get("data").asInt()).isEqualTo(5);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "{}", "[]", "{\"operations\":[]}", "{\"operations\":{}}", "{\"operations\":[1]}",
            "{\"operations\":[{\"type\":\"push\",\"items\":[{}]}]}"})
        void aTransactionThatCannotBeUnderstoodIsRefused(String body) {
            Answer answer = queen.transaction(body);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().get("error").asText()).isNotEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"{\"type\":\"nonsense\"}", "{}",
            "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"00000000-0000-4000-8000-000000000000\"}",
            "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"x\"}",
            "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"00000000-0000-4000-8000-000000000000\",\"status\":\"retry\"}"})
        void anOperationThatIsImpossibleFailsAllOfThem(String operation) {
            Answer answer = queen.transaction("{\"operations\":[{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                    + "\"}]}," + operation + "],\"requiredLeases\":[]}");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("success").asBoolean()).isFalse();
            assertThat(answer.json().get("error").asText()).isNotEmpty();
            assertThat(answer.json().get("transactionId").asText()).isNotEmpty();
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        @Test
        void pushesOfATransactionAppearTogether() {
            Answer answer = queen.transaction("{\"operations\":[" + push("a", "1") + "," + push("b", "2") + ","
                    + push("a", "3") + "]}");

            assertThat(answer.json().get("success").asBoolean()).isTrue();
            assertThat(queen.popLane(queue, "a", "batch=9").transactionIds()).containsExactly("1", "3");
            assertThat(queen.popLane(queue, "b", "batch=9").transactionIds()).containsExactly("2");
        }

        @Test
        void theSameTransactionIdTwiceInOneTransactionIsStoredOnce() {
            Answer answer = queen.transaction("{\"operations\":[" + push("a", "1") + "," + push("a", "1") + "]}");

            JsonNode results = answer.json().get("results");
            assertThat(answer.json().get("success").asBoolean()).isTrue();
            assertThat(results.get(1).get("messageId")).isEqualTo(results.get(0).get("messageId"));
            assertThat(queen.pop(queue, "batch=9").transactionIds()).containsExactly("1");
        }

        private String push(String partition, String transactionId) {
            return "{\"type\":\"push\",\"items\":[{\"queue\":\"%s\",\"partition\":\"%s\",\"transactionId\":\"%s\"}]}"
                    .formatted(queue, partition, transactionId);
        }
    }

    @Nested
    class Extend {
        @Test
        void theAnswerIsAnObjectWithTheNewEndUnderEveryName() {
            queen.push(queue, "a", "1");
            String leaseId = queen.pop(queue).leaseId();

            JsonNode answer = queen.extend(leaseId, "{\"seconds\":1000}").json();

            assertThat(answer.get("index").asInt()).isZero();
            assertThat(answer.get("leaseId").asText()).isEqualTo(leaseId);
            assertThat(answer.get("success").asBoolean()).isTrue();
            assertThat(Instant.parse(answer.get("expiresAt").asText())).isBetween(Instant.now().plusSeconds(900),
                    Instant.now().plusSeconds(1100));
            assertThat(answer.get("newExpiresAt")).isEqualTo(answer.get("expiresAt"));
            assertThat(answer.get("lease_expires_at")).isEqualTo(answer.get("expiresAt"));
        }

        @Test
        void aLeaseIsNeverMadeShorter() {
            queen.push(queue, "a", "1");
            String leaseId = queen.pop(queue).leaseId();

            JsonNode answer = queen.extend(leaseId, "{\"seconds\":1}").json();

            assertThat(Instant.parse(answer.get("expiresAt").asText())).isAfter(Instant.now().plusSeconds(200));
        }

        @Test
        void aLeaseThatIsOverStaysOver() {
            queen.push(queue, "a", "1");
            Answer popped = queen.pop(queue);
            server.expireLeases(queue);
            Answer expired = queen.extend(popped.leaseId(), "{}");

            assertThat(expired.status()).isIn(404, 410);
            assertThat(expired.json().get("error").asText()).isNotEmpty();
            assertThat(queen.popLane(queue, "a").transactionIds()).containsExactly("1");
        }

        @Test
        void anAckedLeaseIsGone() {
            queen.push(queue, "a", "1");
            Answer popped = queen.pop(queue);
            queen.ackAll(popped, "completed");

            assertThat(queen.extend(popped.leaseId(), "{}").status()).isIn(404, 410);
        }

        @ParameterizedTest
        @ValueSource(strings = {"nonsense", "{\"seconds\":\"x\"}", "{\"seconds\":-1}"})
        void nonsenseIsRefused(String body) {
            queen.push(queue, "a", "1");

            assertThat(queen.extend(queen.pop(queue).leaseId(), body).status()).isEqualTo(400);
        }
    }

    @Nested
    class Configure {
        @Test
        void theAnswerHasAllOptionsAsStored() {
            String options = "{\"leaseTime\":11,\"retryLimit\":0,\"retryDelay\":13,\"delayedProcessing\":14,"
                    + "\"windowBuffer\":15,\"priority\":16,\"maxSize\":17,\"ttl\":18,\"maxWaitTimeSeconds\":19,"
                    + "\"retentionEnabled\":true,\"retentionSeconds\":20,\"completedRetentionSeconds\":21,"
                    + "\"encryptionEnabled\":false,\"deadLetterQueue\":true,\"dlqAfterMaxRetries\":true}";

            Answer answer = queen.post("/api/v1/configure", "{\"queue\":\"" + queue
                    + "\",\"namespace\":\"n\",\"task\":\"t\",\"options\":" + options + "}");

            assertThat(answer.status()).isEqualTo(200);
            JsonNode json = answer.json();
            assertThat(fieldsOf(json)).containsExactlyInAnyOrder("configured", "queueId", "partitionId", "queue",
                    "namespace", "task", "options");
            assertThat(json.get("configured").asBoolean()).isTrue();
            assertThat(json.get("queue").asText()).isEqualTo(queue);
            assertThat(json.get("namespace").asText()).isEqualTo("n");
            assertThat(json.get("task").asText()).isEqualTo("t");
            assertThat(json.get("options")).isEqualTo(Answer.parse(options));
        }

        @Test
        void aQueueWithoutOptionsHasTheDefaults() {
            Answer answer = queen.post("/api/v1/configure", "{\"queue\":\"" + queue + "\"}");

            assertThat(answer.json().get("options")).isEqualTo(Answer.parse(
                    "{\"leaseTime\":300,\"retryLimit\":3,\"retryDelay\":1000,\"delayedProcessing\":0,"
                            + "\"windowBuffer\":0,\"priority\":0,\"maxSize\":0,\"ttl\":3600,\"maxWaitTimeSeconds\":0,"
                            + "\"retentionEnabled\":false,\"retentionSeconds\":0,\"completedRetentionSeconds\":0,"
                            + "\"encryptionEnabled\":false,\"deadLetterQueue\":false,\"dlqAfterMaxRetries\":false}"));
            assertThat(answer.json().get("configured").asBoolean()).isTrue();
        }

        @Test
        void theAnswerNamesTheLaneDefault() {
            JsonNode answer = queen.configure(queue, "{}").json();

            JsonNode stored = queen.push(queue, "Default", "1").list().getFirst();

            assertThat(stored.get("partitionId")).isEqualTo(answer.get("partitionId"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"{}", "{\"queue\":1}", "{\"queue\":\"q\",\"options\":1}",
            "{\"queue\":\"q\",\"options\":{\"leaseTime\":\"long\"}}",
            "{\"queue\":\"q\",\"options\":{\"leaseTime\":-1}}",
            "{\"queue\":\"q\",\"options\":{\"retentionEnabled\":1}}", "{\"queue\":\"a/b\"}"})
        void nonsenseIsRefused(String body) {
            assertThat(queen.post("/api/v1/configure", body).status()).isEqualTo(400);
        }
    }

    @Nested
    class Delete {
        @Test
        void aDeletedQueueIsGoneWithAllThatWasInIt() {
            queen.push(queue, "a", "1");
            queen.pop(queue, "consumerGroup=g");

            Answer answer = queen.delete("/api/v1/resources/queues/" + queue);

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json()).isEqualTo(
                    Answer.parse("{\"deleted\":true,\"queue\":\"" + queue + "\",\"existed\":true}"));
            assertThat(queen.pop(queue).isEmpty()).isTrue();
            assertThat(queen.delete("/api/v1/resources/queues/" + queue).json().get("existed").asBoolean()).isFalse();
        }

        @Test
        void aQueueMayBeCreatedAgainUnderTheSameName() {
            queen.push(queue, "a", "1");
            JsonNode held = queen.pop(queue).message();
            queen.delete("/api/v1/resources/queues/" + queue);

            assertThat(queen.push(queue, "a", "1").each("status")).containsExactly("queued");

            assertThat(queen.pop(queue).transactionIds()).containsExactly("1");
            assertThat(queen.ack(held, "completed").get("success").asBoolean()).isFalse();
        }
    }

    @Nested
    class Health {
        @Test
        void aServerWithItsDatabaseIsHealthy() {
            Answer answer = queen.get("/health");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.json().get("status").asText()).isEqualTo("healthy");
            assertThat(answer.json().get("database").asText()).isEqualTo("connected");
            assertThat(answer.json().get("version").asText()).isNotEmpty();
        }
    }

    private static List<String> fieldsOf(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
