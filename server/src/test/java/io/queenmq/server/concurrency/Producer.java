package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Pushes to all partitions and waits for each response. Its messages are numbered per partition. */
final class Producer {
    private final List<QueenClient> servers;
    private final String queue;
    private final int number;
    private final int partitions;
    private final Random random;
    private final List<String> accepted = new ArrayList<>();

    Producer(List<QueenClient> servers, String queue, int number, int partitions, long seed) {
        this.servers = servers;
        this.queue = queue;
        this.number = number;
        this.partitions = partitions;
        this.random = new Random(seed + number);
    }

    void run(int pushes) {
        int[] next = new int[partitions];
        for (int i = 0; i < pushes; i++) {
            int partition = random.nextInt(partitions);
            List<String> ids = new ArrayList<>();
            for (int n = random.nextInt(4); n >= 0; n--) {
                ids.add("%d/%d".formatted(number, next[partition]++));
            }
            Answer answer = servers.get(random.nextInt(servers.size())).push(queue, "partition-" + partition, ids);
            assertThat(answer.status()).as("push: %s", answer).isEqualTo(201);
            for (JsonNode result : answer.body()) {
                assertThat(result.path("status").asText()).as("push: %s", answer).isEqualTo("queued");
            }
            ids.forEach(id -> accepted.add("partition-" + partition + ":" + id));
        }
    }

    /** Returns the messages that were reported as stored, each as partition:id. */
    List<String> accepted() {
        return accepted;
    }
}
