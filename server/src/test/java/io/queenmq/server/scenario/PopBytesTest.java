package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The bytes of one pop and of all responses in flight are limited; no message is lost or skipped because of a limit. */
class PopBytesTest {
    private static final int MESSAGE_BYTES = 20_000;

    /** The limits allow three messages per pop and two concurrent pops. The cache is disabled, so all messages are fetched. */
    @RegisterExtension
    static final QueenServer server = QueenServer
            .with(Map.of("POP_MAX_BYTES", "65000", "MAX_ANSWER_BYTES", "100000", "SEGMENT_CACHE_BYTES", "0"));

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void aPopReturnsNoMoreBytesThanItsLimitAndTheNextContinues() {
        fill("a", 8);

        Answer first = queen.popPartition(queue, "a", "batch=100");
        assertThat(first.transactionIds()).containsExactly("a-0", "a-1", "a-2");
        queen.ackAll(first, "completed");
        assertThat(queen.popPartition(queue, "a", "batch=100").transactionIds()).containsExactly("a-3", "a-4", "a-5");
    }

    @Test
    void noMessageIsSkippedWithAutoAck() {
        fill("a", 8);
        List<String> seen = new ArrayList<>();

        for (int i = 0; i < 3; i++) {
            List<String> ids = queen.popPartition(queue, "a", "batch=100", "autoAck=true").transactionIds();
            assertThat(ids).hasSizeLessThanOrEqualTo(3);
            seen.addAll(ids);
        }

        assertThat(seen).containsExactly("a-0", "a-1", "a-2", "a-3", "a-4", "a-5", "a-6", "a-7");
    }

    @Test
    void aMessageLargerThanTheLimitIsDeliveredAlone() {
        push("a", "large", 300_000);
        push("a", "small", 10);

        assertThat(queen.popPartition(queue, "a", "batch=100").transactionIds()).containsExactly("large");
    }

    @Test
    void thePartitionsOfOnePopShareTheLimit() {
        queen.configure(queue, "{}");
        for (String partition : server.database().partitionsTogether(queue, 3)) {
            fill(partition, 2);
        }

        Answer answer = queen.pop(queue, "batch=100", "partitions=10");

        assertThat(answer.transactionIds()).hasSizeBetween(2, 3);
    }

    @Test
    void concurrentPopsBeyondTheLimitAreAllServed() {
        for (int partition = 0; partition < 30; partition++) {
            fill("partition-" + partition, 3);
        }
        List<CompletableFuture<Answer>> pops = new ArrayList<>();

        for (int partition = 0; partition < 30; partition++) {
            pops.add(queen.popLater(queue, "batch=3", "wait=true", "timeout=60000"));
        }

        assertThat(pops).allSatisfy(pop -> assertThat(pop.join().transactionIds()).hasSize(3));
        Await.until(() -> queen.get("/metrics/prometheus").body().contains("queen_answers_bytes 0.0"));
    }

    private void fill(String partition, int messages) {
        for (int i = 0; i < messages; i++) {
            push(partition, partition + "-" + i, MESSAGE_BYTES);
        }
    }

    private void push(String partition, String transactionId, int bytes) {
        queen.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"" + partition
                + "\",\"transactionId\":\"" + transactionId + "\",\"payload\":\"" + "x".repeat(bytes) + "\"}]}");
    }
}
