package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A paused queue accepts pushes and delivers nothing, on every server. */
class PauseTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private static QueenClient there;

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @BeforeAll
    static void startOther() {
        there = server.startAnother();
    }

    @Test
    void aPausedQueueDeliversNothingUntilItIsResumed() {
        queen.push(queue, "a", "1");
        assertThat(pause().json().get("paused").asBoolean()).isTrue();

        queen.push(queue, "a", "2");

        awaitPause(queen);
        assertThat(queen.pop(queue).isEmpty()).isTrue();
        assertThat(queen.popPartition(queue, "a").isEmpty()).isTrue();
        resume();
        assertThat(queen.pop(queue, "wait=true", "timeout=60000", "batch=10").transactionIds()).containsExactly("1",
                "2");
    }

    @Test
    void waitingPopsAreServedWhenTheQueueIsResumed() {
        queen.configure(queue, "{}");
        pause();
        CompletableFuture<Answer> anyPartition = queen.popLater(queue, "wait=true", "timeout=60000",
                "consumerGroup=any");
        CompletableFuture<Answer> onePartition = queen.popPartitionLater(queue, "a", "wait=true", "timeout=60000");
        queen.push(queue, "a", "1");
        assertThat(queen.pop(queue, "wait=true", "timeout=300").isEmpty()).isTrue();

        resume();

        assertThat(List.of(anyPartition.join(), onePartition.join()))
                .allSatisfy(answer -> assertThat(answer.transactionIds()).containsExactly("1"));
    }

    @Test
    void otherServersApplyThePause() {
        queen.push(queue, "a", "1");
        assertThat(there.pop(queue, "consumerGroup=first", "wait=true", "timeout=60000").isEmpty()).isFalse();
        pause();
        awaitPause(there);

        assertThat(there.popPartition(queue, "a").isEmpty()).isTrue();
        resume();
        assertThat(there.pop(queue, "wait=true", "timeout=60000").transactionIds()).containsExactly("1");
    }

    @Test
    void leasedMessagesMayBeAckedWhileTheQueueIsPaused() {
        queen.push(queue, "a", "1");
        Answer popped = queen.pop(queue);
        pause();

        assertThat(queen.ackAll(popped, "completed").list().getFirst().get("success").asBoolean()).isTrue();
    }

    @Test
    void aQueueThatDoesNotExistCannotBePaused() {
        assertThat(pause().status()).isEqualTo(404);
        assertThat(pause().json().get("error").asText()).isEqualTo("there is no such queue");
    }

    /** Waits until new groups get nothing from the server, which shows that it applies the pause. */
    private void awaitPause(QueenClient from) {
        Await.until(() -> from.pop(queue, "consumerGroup=g" + System.nanoTime()).isEmpty());
    }

    private Answer pause() {
        return queen.post("/api/v1/resources/queues/" + queue + "/pause", "");
    }

    private void resume() {
        queen.post("/api/v1/resources/queues/" + queue + "/resume", "{}");
    }
}
