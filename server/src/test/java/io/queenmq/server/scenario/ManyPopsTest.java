package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many concurrent pops. */
class ManyPopsTest {
    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final QueenClient queen = server.client();
    private final String queue = server.newQueue();

    @Test
    void fiveHundredConcurrentPopsOfNamedPartitionsGetALeaseEach() {
        pushToPartitions(500);

        List<Answer> answers = IntStream.range(0, 500).mapToObj(i -> queen.popPartitionLater(queue, "partition-" + i))
                .toList().stream().map(CompletableFuture::join).toList();

        assertThat(answers).allMatch(answer -> answer.status() == 200);
        assertThat(answers.stream().map(Answer::leaseId)).doesNotHaveDuplicates().hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(answers.get(i).transactionIds()).containsExactly("message-" + i);
        }
    }

    @Test
    void concurrentPopsOfQueueAndPartitionNeverShareAPartition() {
        pushToPartitions(200);
        List<CompletableFuture<Answer>> pops = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            pops.add(queen.popLater(queue));
            pops.add(queen.popPartitionLater(queue, "partition-" + i));
            pops.add(queen.popLater(queue, "consumerGroup=g"));
            pops.add(queen.popLater(queue, "partitions=3", "batch=3", "consumerGroup=g"));
        }

        List<String> handedOut = pops.stream().flatMap(pop -> pop.join().messages().stream())
                .map(message -> message.get("consumerGroup").asText() + " " + message.get("partition").asText())
                .toList();

        assertThat(handedOut).doesNotHaveDuplicates();
        assertThat(handedOut.stream().filter(each -> each.startsWith("__QUEUE_MODE__"))).hasSize(200);
        assertThat(handedOut.stream().filter(each -> each.startsWith("g "))).hasSize(200);
    }

    @Test
    void ofManyPopsOfOnePartitionOneGetsIt() {
        queen.push(queue, "a", "1");

        List<Answer> answers = IntStream.range(0, 200).mapToObj(_ -> queen.popPartitionLater(queue, "a")).toList()
                .stream().map(CompletableFuture::join).toList();

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
        assertThat(answers.stream().filter(Answer::isEmpty)).hasSize(199);
    }

    @Test
    void twoThousandWaitingPopsAllGetAResponse() {
        int waiters = 2_000;
        queen.configure(queue, "{}");
        List<CompletableFuture<Answer>> pops = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            pops.add(queen.popLater(queue, "wait=true", "timeout=110000", "autoAck=true"));
        }

        for (int i = 0; i < 20; i++) {
            int first = i * 100;
            queen.push(queue, "partition-" + i,
                    IntStream.range(first, first + 100).mapToObj(Integer::toString).toArray(String[]::new));
        }

        List<String> got = pops.stream().flatMap(pop -> pop.join().transactionIds().stream()).toList();
        assertThat(got).hasSize(waiters).doesNotHaveDuplicates();
    }

    private void pushToPartitions(int count) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < count; i++) {
            items.append(i == 0 ? "" : ",").append("{\"queue\":\"").append(queue)
                    .append("\",\"partition\":\"partition-").append(i).append("\",\"transactionId\":\"message-")
                    .append(i).append("\"}");
        }
        assertThat(queen.post("/api/v1/push", "{\"items\":[" + items + "]}").status()).isEqualTo(201);
    }
}
