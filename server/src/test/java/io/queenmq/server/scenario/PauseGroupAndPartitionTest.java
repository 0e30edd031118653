package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A paused group of a queue or a paused partition does not affect other groups and partitions. */
class PauseGroupAndPartitionTest {
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
    void aPausedGroupGetsNoMessagesAndOthersDo() {
        here.push(queue, "a", "1");
        assertThat(group("g", "pause").json().get("paused").asBoolean()).isTrue();

        assertThat(here.pop(queue, "consumerGroup=g").isEmpty()).isTrue();
        assertThat(here.popPartition(queue, "a", "consumerGroup=g").isEmpty()).isTrue();
        assertThat(here.pop(queue, "consumerGroup=other").transactionIds()).containsExactly("1");
        group("g", "resume");
        assertThat(here.pop(queue, "consumerGroup=g").transactionIds()).containsExactly("1");
    }

    @Test
    void waitingPopsAreServedOnEveryServerWhenTheirGroupIsResumed() {
        here.push(queue, "a", "1");
        here.push(queue, "b", "2");
        group("g", "pause");
        Await.until(() -> isPausedThere());
        CompletableFuture<Answer> anyPartition = there.popLater(queue, "consumerGroup=g", "wait=true", "timeout=60000");
        CompletableFuture<Answer> onePartition = here.popPartitionLater(queue, "b", "consumerGroup=g2", "wait=true",
                "timeout=60000", "subscriptionMode=new");
        Await.until(() -> !server
                .select("select 1 from queen.subscription where group_name = 'g2' and queue_name = ?", queue)
                .isEmpty());
        group("g2", "pause");
        here.push(queue, "b", "3");

        group("g", "resume");
        group("g2", "resume");

        assertThat(anyPartition.join().transactionIds()).hasSize(1);
        assertThat(onePartition.join().transactionIds()).containsExactly("3");
    }

    @Test
    void aPausedPartitionDeliversNothingAndOthersDo() {
        for (int i = 0; i < 20; i++) {
            here.push(queue, "paused-" + i, "no");
            partition("paused-" + i, "pause");
        }
        here.push(queue, "open", "1", "2", "3");

        for (int i = 1; i <= 3; i++) {
            assertThat(here.pop(queue, "autoAck=true").transactionIds()).containsExactly("" + i);
        }
        for (int i = 0; i < 5; i++) {
            assertThat(here.pop(queue).isEmpty()).isTrue();
        }
        assertThat(here.popPartition(queue, "paused-3").isEmpty()).isTrue();
        partition("paused-3", "resume");
        assertThat(here.pop(queue).transactionIds()).containsExactly("no");
    }

    @Test
    void waitingPopsAreServedOnEveryServerWhenTheirPartitionIsResumed() {
        here.push(queue, "a", "1");
        server.age(queue, 3600);
        partition("a", "pause");
        CompletableFuture<Answer> anyPartition = there.popLater(queue, "consumerGroup=any", "wait=true",
                "timeout=60000");
        CompletableFuture<Answer> onePartition = there.popPartitionLater(queue, "a", "wait=true", "timeout=60000");
        assertThat(there.pop(queue, "consumerGroup=any", "wait=true", "timeout=300").isEmpty()).isTrue();

        partition("a", "resume");

        assertThat(List.of(anyPartition.join(), onePartition.join()))
                .allSatisfy(answer -> assertThat(answer.transactionIds()).containsExactly("1"));
    }

    @Test
    void reconfiguringAQueueKeepsItsGroupsPaused() {
        here.push(queue, "a", "1");
        group("g", "pause");

        here.configure(queue, "{\"leaseTime\":10}");

        assertThat(here.pop(queue, "consumerGroup=g").isEmpty()).isTrue();
    }

    @Test
    void aMissingGroupOrPartitionCannotBePaused() {
        assertThat(group("g", "pause").status()).isEqualTo(404);
        assertThat(here.post("/api/v1/partitions/11111111-1111-4111-8111-111111111111/pause", "").status())
                .isEqualTo(404);
    }

    /** Releases what it pops: a leased partition would look like a paused one. */
    private boolean isPausedThere() {
        Answer popped = there.pop(queue, "consumerGroup=g");
        if (!popped.isEmpty()) {
            there.ackAll(popped, "retry");
        }
        return popped.isEmpty();
    }

    private Answer group(String group, String word) {
        return here.post("/api/v1/consumer-groups/" + group + "/queues/" + queue + "/" + word, "");
    }

    private void partition(String partition, String word) {
        String id = server.select("select p.id from queen.partition p join queen.queue q on q.id = p.queue_id"
                + " where q.name = ? and p.name = ?", queue, partition).getFirst();
        assertThat(here.post("/api/v1/partitions/" + id + "/" + word, "").status()).isEqualTo(200);
    }
}
