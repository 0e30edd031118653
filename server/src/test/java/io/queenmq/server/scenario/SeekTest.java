package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A seek applies immediately on every server, and invalidates the leases of its partitions. */
class SeekTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient here = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void aGroupAtTheBeginningReadsAllMessagesAgainInOrder() {
        here.push(queue, "a", "1", "2", "3");
        here.pop(queue, "consumerGroup=g", "batch=9", "autoAck=true");

        Answer sought = seekQueue("g", "{\"toBeginning\":true}");

        assertThat(sought.json().get("success").asBoolean()).isTrue();
        assertThat(sought.json().get("consumerGroup").asText()).isEqualTo("g");
        assertThat(sought.json().get("queueName").asText()).isEqualTo(queue);
        assertThat(sought.json().get("seekToEnd").asBoolean()).isFalse();
        assertThat(sought.json().get("partitionsUpdated").asInt()).isEqualTo(1);
        assertThat(here.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("1", "2", "3");
    }

    @Test
    void aGroupAtTheEndReadsLaterMessagesAndNewPartitionsFromTheirStart() {
        here.push(queue, "a", "1");
        here.push(queue, "b", "1");
        here.popPartition(queue, "a", "consumerGroup=g");
        assertThat(seekQueue("g", "{\"toEnd\":true}").json().get("partitionsUpdated").asInt()).isEqualTo(2);

        assertThat(here.pop(queue, "consumerGroup=g", "partitions=9", "batch=9").isEmpty()).isTrue();
        here.push(queue, "b", "2");
        here.push(queue, "c", "3");

        assertThat(popEach("g", "b", "c")).containsExactly("2", "3");
    }

    @Test
    void aSeekToATimeReadsLaterMessages() {
        here.push(queue, "a", "old");
        here.pop(queue, "consumerGroup=g", "autoAck=true");
        server.age(queue, 3600);
        here.push(queue, "a", "new");
        here.pop(queue, "consumerGroup=g", "autoAck=true");

        seekQueue("g", "{\"timestamp\":\"" + Instant.now().minusSeconds(600) + "\"}");

        assertThat(here.pop(queue, "consumerGroup=g", "batch=9").transactionIds()).containsExactly("new");
    }

    @Test
    void queueModeIsSoughtByItsReservedName() {
        here.push(queue, "a", "1", "2");
        here.pop(queue, "autoAck=true", "batch=9");

        seekQueue("__QUEUE_MODE__", "{\"toBeginning\":true}");

        assertThat(here.pop(queue, "batch=9").transactionIds()).containsExactly("1", "2");
    }

    @Test
    void onePartitionCanBeSoughtToAnOffsetOrWithoutABodyToItsEnd() {
        here.push(queue, "a", "1", "2", "3");
        here.push(queue, "b", "1");
        assertThat(popEach("g", "a", "b")).containsExactly("1", "2", "3", "1");

        assertThat(seekPartition("g", "a", "{\"offset\":1}").json().get("cursorMovedTo").asInt()).isEqualTo(1);
        assertThat(here.pop(queue, "consumerGroup=g", "partitions=9", "batch=1").transactionIds()).containsExactly("2");
        Answer toEnd = seekPartition("g", "a", "");

        assertThat(toEnd.json().get("cursorMovedTo").asInt()).isEqualTo(3);
        assertThat(toEnd.json().get("partitionName").asText()).isEqualTo("a");
        assertThat(toEnd.json().get("updated").asBoolean()).isTrue();
        assertThat(here.pop(queue, "consumerGroup=g", "batch=9", "partitions=9").isEmpty()).isTrue();
    }

    @Test
    void anAckOrARenewalWithTheOldLeaseChangesNothingOnAnyServer() {
        here.push(queue, "a", "1", "2");
        Answer held = there.pop(queue, "consumerGroup=g", "batch=2", "wait=true", "timeout=60000");
        seekQueue("g", "{\"toBeginning\":true}");

        for (QueenClient queen : new QueenClient[]{here, there}) {
            for (JsonNode message : held.messages()) {
                assertThat(queen.ack(message, "completed").get("success").asBoolean()).isFalse();
                assertThat(queen.ack(message, "failed").get("success").asBoolean()).isFalse();
            }
            assertThat(queen.extend(held.leaseId(), "{}").status()).isIn(404, 410);
        }
        assertThat(there.pop(queue, "consumerGroup=g", "batch=9", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("1", "2");
    }

    @Test
    void waitingPopsAreServedOnEveryServerWithOldMessages() {
        here.push(queue, "a", "1");
        for (String group : new String[]{"any", "one"}) {
            there.pop(queue, "consumerGroup=" + group, "autoAck=true", "wait=true", "timeout=60000");
        }
        server.age(queue, 3600);
        CompletableFuture<Answer> anyPartition = there.popLater(queue, "consumerGroup=any", "wait=true",
                "timeout=60000");
        CompletableFuture<Answer> onePartition = there.popPartitionLater(queue, "a", "consumerGroup=one", "wait=true",
                "timeout=60000");
        CompletableFuture<Answer> local = here.popLater(queue, "consumerGroup=any", "wait=true", "timeout=2000");

        seekQueue("any", "{\"toBeginning\":true}");
        seekPartition("one", "a", "{\"toBeginning\":true}");

        assertThat(onePartition.join().transactionIds()).containsExactly("1");
        boolean isHere = !local.join().isEmpty();
        if (isHere) {
            here.ackAll(local.join(), "completed");
            seekQueue("any", "{\"toBeginning\":true}");
        }
        assertThat(anyPartition.join().transactionIds()).containsExactly("1");
    }

    /** A seek ends a retry delay. */
    @Test
    void aSeekEndsTheRetryDelayOfAPartition() {
        here.configure(queue, "{\"retryDelay\":600000}");
        here.push(queue, "a", "1", "2");
        here.ackAll(here.pop(queue, "consumerGroup=g"), "failed");
        assertThat(here.pop(queue, "consumerGroup=g").isEmpty()).isTrue();

        seekPartition("g", "a", "{\"offset\":1}");

        assertThat(here.pop(queue, "consumerGroup=g").transactionIds()).containsExactly("2");
    }

    @Test
    void aSkippedMessageIsNotDeliveredAndMayBeDeadLettered() {
        here.push(queue, "a", "1", "2", "3");
        Answer held = here.pop(queue, "consumerGroup=g");

        Answer skipped = here.post(partition("g", "a") + "/skip", "");
        Answer deadLettered = here.post(partition("g", "a") + "/skip", "{\"toDlq\":true}");

        assertThat(skipped.json().get("skippedOffset").asInt()).isZero();
        assertThat(deadLettered.json().get("cursorMovedTo").asInt()).isEqualTo(2);
        assertThat(server.deadLetters(queue)).containsExactly("2 0");
        assertThat(here.extend(held.leaseId(), "{}").status()).isIn(404, 410);
        assertThat(here.pop(queue, "consumerGroup=g").transactionIds()).containsExactly("3");
        assertThat(here.post(partition("g", "a") + "/seek", "").status()).isEqualTo(200);
        assertThat(here.post(partition("g", "a") + "/skip", "").status()).isEqualTo(400);
    }

    @Test
    void aNewGroupStartsAtTheEndToWhichItWasSought() {
        here.push(queue, "a", "1");
        here.push(queue, "b", "2");

        Answer sought = seekQueue("late", "{\"toEnd\":true}");
        assertThat(sought.status()).isEqualTo(200);
        assertThat(sought.json().get("partitionsUpdated").asInt()).isZero();
        assertThat(there.pop(queue, "consumerGroup=late", "subscriptionMode=all", "partitions=9", "batch=9").isEmpty())
                .isTrue();
        here.push(queue, "a", "3");
        here.push(queue, "c", "4");

        assertThat(pop(here, "late", 2)).containsExactlyInAnyOrder("3", "4");
    }

    @Test
    void aNewGroupStartsAtTheBeginningToWhichItWasSought() {
        here.push(queue, "a", "1");
        here.push(queue, "b", "2");

        assertThat(seekQueue("late", "{\"toEnd\":true}").json().get("partitionsUpdated").asInt()).isZero();
        assertThat(seekQueue("late", "{\"toBeginning\":true}").json().get("partitionsUpdated").asInt()).isZero();

        assertThat(pop(there, "late", 2)).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void aNewGroupStartsAtTheTimeToWhichItWasSought() {
        here.push(queue, "a", "old");
        server.age(queue, 3600);
        here.push(queue, "a", "new");

        seekQueue("late", "{\"timestamp\":\"" + Instant.now().minusSeconds(600) + "\"}");
        here.push(queue, "b", "later");

        assertThat(pop(there, "late", 2)).containsExactlyInAnyOrder("new", "later");
    }

    @Test
    void aPartitionIsSoughtForANewGroupUntilTheGroupIsDeleted() {
        here.push(queue, "a", "1", "2");

        assertThat(seekPartition("late", "a", "{\"offset\":1}").json().get("cursorMovedTo").asInt()).isEqualTo(1);
        assertThat(there.pop(queue, "consumerGroup=late", "subscriptionMode=new", "batch=9", "autoAck=true",
                "wait=true", "timeout=60000").transactionIds()).containsExactly("2");
        here.delete("/api/v1/consumer-groups/late?deleteMetadata=true");

        assertThat(here.pop(queue, "consumerGroup=late", "batch=9", "wait=true", "timeout=60000").transactionIds())
                .containsExactly("1", "2");
    }

    @Test
    void impossibleSeeksAreRejectedWithTheReason() {
        here.push(queue, "a", "1");
        here.pop(queue, "consumerGroup=g");

        assertThat(seekQueue("g", "{}").status()).isEqualTo(400);
        assertThat(seekQueue("mistyped", "{\"toEnd\":true,\"readerOnly\":true}").status()).isEqualTo(404);
        assertThat(seekPartition("mistyped", "a", "{\"readerOnly\":true}").status()).isEqualTo(404);
        assertThat(server.select("select 1 from queen.subscription where group_name = 'mistyped'")).isEmpty();
        assertThat(seekQueue("g", "").status()).isEqualTo(400);
        assertThat(seekQueue("g", "{\"timestamp\":\"tomorrow-ish\"}").status()).isEqualTo(400);
        assertThat(here.post("/api/v1/consumer-groups/g/queues/nowhere/seek", "{\"toEnd\":true}").status())
                .isEqualTo(404);
        assertThat(seekPartition("g", "nowhere", "").status()).isEqualTo(404);
        assertThat(seekPartition("g", "a", "{\"offset\":7}").json().get("error").asText()).contains("from 0 to 1");
    }

    /** Pops this number of messages from any partitions. A new group subscribes to new messages. */
    private List<String> pop(QueenClient queen, String group, int count) {
        List<String> popped = new ArrayList<>();
        while (popped.size() < count) {
            popped.addAll(queen.pop(queue, "consumerGroup=" + group, "subscriptionMode=new", "partitions=9", "batch=9",
                    "autoAck=true", "wait=true", "timeout=60000").transactionIds());
        }
        return popped;
    }

    /** Pops each partition by name, because a pop of the queue returns messages of one shard. */
    private List<String> popEach(String group, String... partitions) {
        return Stream.of(partitions)
                .flatMap(partition -> here
                        .popPartition(queue, partition, "consumerGroup=" + group, "batch=9", "autoAck=true")
                        .transactionIds().stream())
                .toList();
    }

    private Answer seekQueue(String group, String body) {
        return here.post("/api/v1/consumer-groups/" + group + "/queues/" + queue + "/seek", body);
    }

    private Answer seekPartition(String group, String partition, String body) {
        return here.post(partition(group, partition) + "/seek", body);
    }

    private String partition(String group, String partition) {
        return "/api/v1/consumer-groups/" + group + "/queues/" + queue + "/partitions/" + partition;
    }
}
