package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The queue option maxSize, on two servers. */
class MaxSizeTest {
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
    void itemsThatDoNotFitFailAndTheOthersAreStored() {
        limit(3);
        here.push(queue, "a", "1", "2");

        Answer answer = here.push(queue, "a", "3", "4", "5");

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.each("status")).containsExactly("queued", "failed", "failed");
        assertThat(answer.each("error")).containsExactly("", "the queue is full: maxSize 3",
                "the queue is full: maxSize 3");
        assertThat(here.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("1", "2", "3");
    }

    @Test
    void duplicatesAreNotLimited() {
        limit(2);
        here.push(queue, "a", "1", "2");

        assertThat(here.push(queue, "a", "2", "3").each("status")).containsExactly("duplicate", "failed");
    }

    @Test
    void aRejectedMessageMayBePushedAgainWhenTheQueueHasSpace() {
        limit(2);
        here.push(queue, "a", "1", "2", "3");
        here.ackAll(here.popPartition(queue, "a"), "completed");

        assertThat(here.push(queue, "a", "3", "4").each("status")).containsExactly("queued", "failed");
        assertThat(here.popPartition(queue, "a", "batch=9").transactionIds()).containsExactly("2", "3");
    }

    @Test
    void partitionsShareTheLimitOfTheirQueue() {
        limit(2);
        here.push(queue, "a", "1");

        assertThat(here.push(queue, "b", "2").each("status")).containsExactly("queued");
        assertThat(here.push(queue, "c", "3").each("status")).containsExactly("failed");
    }

    @Test
    void aRemovedLimitHasNoEffect() {
        limit(1);
        here.push(queue, "a", "1");
        assertThat(here.push(queue, "a", "2").each("status")).containsExactly("failed");

        here.configure(queue, "{\"maxSize\":0}");

        assertThat(here.push(queue, "a", "2").each("status")).containsExactly("queued");
    }

    @Test
    void aTransactionThatDoesNotFitFailsAsAWhole() {
        String in = server.newQueue();
        here.push(in, "a", "in");
        Answer popped = here.pop(in);
        limit(1);
        here.push(queue, "a", "1");

        Answer answer = here.transaction("{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"in\",\"partitionId\":"
                + popped.message().get("partitionId") + "},{\"type\":\"push\",\"items\":[{\"queue\":\"" + queue
                + "\",\"partition\":\"a\",\"payload\":1}]}],\"requiredLeases\":[\"" + popped.leaseId() + "\"]}");

        assertThat(answer.json().get("success").asBoolean()).isFalse();
        assertThat(answer.json().get("error").asText()).isEqualTo("the queue is full: maxSize 1");
        assertThat(here.ackAll(popped, "completed").list().getFirst().get("success").asBoolean()).isTrue();
    }

    @Test
    void theLimitIsExactForConcurrentPushesOnTwoServers() {
        limit(100);
        // The other server has loaded the limit when it rejects a push.
        there.configure(queue, "{}");
        List<String> stored = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> producers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            QueenClient queen = i % 2 == 0 ? here : there;
            String producer = "p" + i;
            producers.add(CompletableFuture.runAsync(() -> {
                for (int n = 0; n < 10; n++) {
                    String[] ids = IntStream.range(0, 3).mapToObj(k -> producer + "-" + System.nanoTime() + "-" + k)
                            .toArray(String[]::new);
                    List<String> statuses = queen.push(queue, "partition-" + n % 4, ids).each("status");
                    for (int k = 0; k < ids.length; k++) {
                        if (statuses.get(k).equals("queued")) {
                            stored.add(ids[k]);
                        }
                    }
                }
            }));
        }
        producers.forEach(CompletableFuture::join);

        assertThat(stored).hasSize(100);
        List<String> popped = new ArrayList<>();
        Await.until(() -> popped.addAll(pop().transactionIds()) && popped.size() >= stored.size());
        assertThat(pop().isEmpty()).isTrue();
        assertThat(popped).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(there.push(queue, "partition-0", "again").each("status")).containsExactly("queued");
    }

    private Answer pop() {
        return here.pop(queue, "batch=50", "autoAck=true", "wait=true", "timeout=300");
    }

    private void limit(int messages) {
        here.configure(queue, "{\"maxSize\":" + messages + "}");
    }
}
