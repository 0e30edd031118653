package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Waiting pops on a server that does not poll within the time of these tests: only arrivals wake them. */
class WaitingTest {
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("POP_WAIT_BASE_INTERVAL_MS", "60000", "POP_WAIT_MAX_INTERVAL_MS", "60000"));

    private static final String[] WAIT = {"wait=true", "timeout=50000"};

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aPushIsDeliveredToAWaitingPopOfTheQueue() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> waiting = queen.popLater(queue, WAIT);
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aPushIsDeliveredToAWaitingPopOfThePartition() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> waiting = queen.popPartitionLater(queue, "a", WAIT);
        CompletableFuture<Answer> other = queen.popPartitionLater(queue, "b", "wait=true", "timeout=1000");
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
        assertThat(other.join().isEmpty()).isTrue();
    }

    @Test
    void aPushToANewQueueIsDeliveredToAPopThatWaitsForIt() {
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, "consumerGroup=g", WAIT[0], WAIT[1]);
        CompletableFuture<Answer> thisPartition = queen.popPartitionLater(queue, "a", WAIT);

        queen.push(queue, "a", "1");

        assertThat(anyPartition.join().transactionIds()).containsExactly("1");
        assertThat(thisPartition.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aPushIsDeliveredToAWaitingPopOfItsNamespace() {
        String namespace = "n" + System.nanoTime();
        CompletableFuture<Answer> unborn = queen
                .getLater("/api/v1/pop?namespace=" + namespace + "&consumerGroup=g&wait=true&timeout=50000");
        CompletableFuture<Answer> byTask = queen
                .getLater("/api/v1/pop?task=" + namespace + "-t&consumerGroup=h&wait=true&timeout=50000");

        queen.push(namespace + "." + namespace + "-t", "a", "1");

        assertThat(unborn.join().transactionIds()).containsExactly("1");
        assertThat(byTask.join().transactionIds()).containsExactly("1");
    }

    @Test
    void anAckServesTheNextWaitingPop() {
        queen.push(queue, "a", "1", "2", "3");
        JsonNode first = queen.pop(queue).message();
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, WAIT);
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.ack(first, "completed");

        Answer second = anyPartition.join();
        assertThat(second.transactionIds()).containsExactly("2");
        CompletableFuture<Answer> thisPartition = queen.popPartitionLater(queue, "a", WAIT);
        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
        queen.ackAll(second, "completed");
        assertThat(thisPartition.join().transactionIds()).containsExactly("3");
    }

    @Test
    void anAckInATransactionServesTheNextWaitingPop() {
        queen.push(queue, "a", "1", "2");
        JsonNode first = queen.pop(queue).message();
        CompletableFuture<Answer> waiting = queen.popLater(queue, WAIT);
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.transaction("{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"1\",\"partitionId\":"
                + first.get("partitionId") + "}],\"requiredLeases\":[" + first.get("leaseId") + "]}");

        assertThat(waiting.join().transactionIds()).containsExactly("2");
    }

    @Test
    void aNackedMessageIsRedeliveredToAWaitingPop() {
        queen.configure(queue, "{\"retryDelay\":0}");
        queen.push(queue, "a", "1");
        JsonNode first = queen.pop(queue).message();
        CompletableFuture<Answer> waiting = queen.popLater(queue, WAIT);
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.ack(first, "failed");

        assertThat(waiting.join().message().get("retryCount").asInt()).isOne();
    }

    @Test
    void aNackedMessageIsRedeliveredToAWaitingPopAfterTheRetryDelay() {
        queen.configure(queue, "{\"retryDelay\":300}");
        queen.push(queue, "a", "1");
        CompletableFuture<Answer> waiting;
        JsonNode first = queen.pop(queue).message();
        waiting = queen.popLater(queue, WAIT);
        assertThat(queen.pop(queue).isEmpty()).isTrue();

        queen.ack(first, "failed");

        assertThat(waiting.join().message().get("retryCount").asInt()).isOne();
    }

    @Test
    void messagesOfAnExpiredLeaseAreRedeliveredToAWaitingPop() {
        queen.configure(queue, "{\"leaseTime\":1}");
        queen.push(queue, "a", "1");
        queen.pop(queue);
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, WAIT);

        Answer again = anyPartition.join();

        assertThat(again.message().get("retryCount").asInt()).isOne();
        assertThat(queen.popPartition(queue, "a", WAIT).message().get("retryCount").asInt()).isEqualTo(2);
    }

    @Test
    void messagesOfARenewedLeaseAreNotRedeliveredAtItsFirstExpiry() {
        queen.configure(queue, "{\"leaseTime\":1,\"retryLimit\":1000}");
        queen.push(queue, "a", "1");
        // If the machine pauses for a second, the lease expires before it is renewed.
        Await.until(() -> queen.extend(queen.pop(queue, WAIT).leaseId(), "{\"seconds\":600}").status() == 200);

        assertThat(queen.pop(queue, "wait=true", "timeout=1100").isEmpty()).isTrue();
        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
    }

    @Test
    void aWaitingPopWithoutMessagesRespondsAtItsDeadline() {
        queen.configure(queue, "{}");
        long startNs = System.nanoTime();

        Answer answer = queen.pop(queue, "wait=true", "timeout=300");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    /** A pop responds at the deadline of its wait. */
    @Test
    void aTimeoutOfAnHourIsAccepted() {
        CompletableFuture<Answer> waiting = queen.popLater(queue, "wait=true", "timeout=3600000");

        queen.push(queue, "a", "1");

        assertThat(waiting.join().transactionIds()).containsExactly("1");
    }

    @Test
    void aMessagePushedAfterTheDeadlineIsDeliveredToTheNextPop() {
        queen.configure(queue, "{}");
        for (int i = 0; i < 20; i++) {
            assertThat(queen.pop(queue, "wait=true", "timeout=" + (1 + i)).isEmpty()).isTrue();
        }

        queen.push(queue, "a", "1");

        assertThat(queen.pop(queue).transactionIds()).containsExactly("1");
    }

    @Test
    void aTimeoutOfZeroDoesNotWait() {
        assertThat(queen.pop(queue, "wait=true", "timeout=0").isEmpty()).isTrue();
        assertThat(queen.pop(queue, "wait=true", "timeout=-5").isEmpty()).isTrue();
    }

    @Test
    void groupsWaitIndependently() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> mine = queen.popLater(queue, "consumerGroup=mine", WAIT[0], WAIT[1]);
        CompletableFuture<Answer> yours = queen.popLater(queue, "consumerGroup=yours", WAIT[0], WAIT[1]);
        CompletableFuture<Answer> nobodys = queen.popLater(queue, WAIT);

        queen.push(queue, "a", "1");

        assertThat(List.of(mine.join(), yours.join(), nobodys.join()))
                .allSatisfy(answer -> assertThat(answer.transactionIds()).containsExactly("1"));
    }

    @Test
    void anAckOfOneGroupDoesNotWakeAnother() {
        queen.push(queue, "a", "1", "2");
        JsonNode mine = queen.pop(queue, "consumerGroup=mine").message();
        queen.pop(queue, "consumerGroup=yours");
        CompletableFuture<Answer> yours = queen.popLater(queue, "consumerGroup=yours", "wait=true", "timeout=500");

        queen.ack(mine, "completed");

        assertThat(yours.join().isEmpty()).isTrue();
    }

    @Test
    void theLongestWaitingPopIsServedFirst() {
        queen.configure(queue, "{}");
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            waiting.add(queen.popLater(queue, WAIT));
            awaitWaitingPops(i);
        }

        for (int i = 0; i < 5; i++) {
            queen.push(queue, "partition-" + i, Integer.toString(i));
            assertThat(waiting.get(i).join().transactionIds()).containsExactly(Integer.toString(i));
        }
    }

    @Test
    void waitingAndNonWaitingPopsAreServedTogether() {
        queen.configure(queue, "{}");
        List<CompletableFuture<Answer>> anyPartition = new ArrayList<>();
        List<CompletableFuture<Answer>> onePartition = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            anyPartition.add(queen.popLater(queue, "consumerGroup=any", WAIT[0], WAIT[1]));
            onePartition.add(queen.popPartitionLater(queue, "partition-" + i, "consumerGroup=one", WAIT[0], WAIT[1]));
            assertThat(queen.pop(queue).isEmpty()).isTrue();
        }

        for (int i = 0; i < 30; i++) {
            queen.push(queue, "partition-" + i, Integer.toString(i));
            assertThat(queen.popPartition(queue, "partition-" + i).transactionIds())
                    .containsExactly(Integer.toString(i));
        }

        for (int i = 0; i < 30; i++) {
            assertThat(onePartition.get(i).join().transactionIds()).containsExactly(Integer.toString(i));
        }
        assertThat(anyPartition.stream().flatMap(each -> each.join().transactionIds().stream())).hasSize(30)
                .doesNotHaveDuplicates();
    }

    @Test
    void aPartitionWantedByNameAndByQueueIsLeasedByOnePop() {
        queen.configure(queue, "{}");
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, WAIT);
        CompletableFuture<Answer> onePartition = queen.popPartitionLater(queue, "a", WAIT);

        queen.push(queue, "a", "1", "2");

        Answer first = (Answer) CompletableFuture.anyOf(anyPartition, onePartition).join();
        assertThat(first.transactionIds()).containsExactly("1");
        assertThat(List.of(anyPartition, onePartition)).as("the other pop waits").filteredOn(CompletableFuture::isDone)
                .hasSize(1);
        queen.ackAll(first, "completed");
        assertThat(Stream.of(anyPartition, onePartition).flatMap(each -> each.join().transactionIds().stream()))
                .containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void aPopOfADeletedQueueWaitsForItsNextCreation() {
        queen.push(queue, "a", "old");
        queen.pop(queue, "autoAck=true", "consumerGroup=g");
        CompletableFuture<Answer> waiting = queen.popLater(queue, "consumerGroup=g", WAIT[0], WAIT[1]);
        awaitWaitingPops(1);
        queen.delete("/api/v1/resources/queues/" + queue);

        queen.push(queue, "a", "new");

        assertThat(waiting.join().transactionIds()).containsExactly("new");
    }

    @Test
    void aPopOfAPartitionOfADeletedQueueWaitsForItsNextCreation() {
        queen.push(queue, "a", "old");
        queen.pop(queue, "autoAck=true");
        CompletableFuture<Answer> waiting = queen.popPartitionLater(queue, "a", WAIT);
        awaitWaitingPops(1);
        queen.delete("/api/v1/resources/queues/" + queue);

        queen.push(queue, "a", "new");

        assertThat(waiting.join().transactionIds()).containsExactly("new");
    }

    /** Every other test of this class ends without waiting pops. */
    private void awaitWaitingPops(int count) {
        Await.until(() -> queen.get("/metrics/prometheus").body().contains("\nqueen_pop_parked " + count + ".0\n"));
    }
}
