package io.queenmq.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Backward seeks during concurrent pushes and pops on two servers lose and reorder no messages. */
class SeekUnderLoadTest {
    private static final int PARTITIONS = 5;
    private static final int MESSAGES = 120;
    private static final String UNFINISHED = "select p.name from queen.partition p join queen.queue q on q.id = p.queue_id"
            + " left join queen.cursor c on c.partition_id = p.id and c.group_name = 'g'"
            + " where q.name = ? and coalesce(c.committed, 0) < p.head";

    @RegisterExtension
    static final QueenServer server = QueenServer.withDefaults();

    private final String queue = server.newQueue();
    private final Map<String, Progress> progress = new ConcurrentHashMap<>();
    private volatile boolean isOver;
    private final List<String> faults = Collections.synchronizedList(new ArrayList<>());

    @Test
    void noMessageIsLostOrReordered() {
        QueenClient here = server.client();
        QueenClient there = server.startAnother();
        here.configure(queue, "{}");
        here.pop(queue, "consumerGroup=g");
        CompletableFuture<Void> producer = runAsync(() -> {
            for (int i = 0; i < MESSAGES; i++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    here.push(queue, "partition-" + partition, "partition-" + partition + ":" + i);
                }
            }
        });
        List<CompletableFuture<Void>> consumers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            QueenClient queen = i % 2 == 0 ? here : there;
            consumers.add(runAsync(() -> consume(queen)));
        }

        for (int i = 0; i < 12; i++) {
            Answer answer = i % 4 == 0
                    ? there.post("/api/v1/consumer-groups/g/queues/" + queue + "/seek", "{\"toBeginning\":true}")
                    : here.post("/api/v1/consumer-groups/g/queues/" + queue + "/partitions/partition-" + i % PARTITIONS
                            + "/seek", "{\"toBeginning\":true}");
            assertThat(answer.status()).isIn(200, 404);
        }
        producer.join();
        Await.until(() -> faults.size() > 0 || consumers.stream().anyMatch(CompletableFuture::isDone)
                || server.select(UNFINISHED, queue).isEmpty());
        isOver = true;
        consumers.forEach(CompletableFuture::join);

        assertThat(faults).isEmpty();
        assertThat(progress.values()).hasSize(PARTITIONS).allSatisfy(each -> assertThat(each.acked).hasSize(MESSAGES));
        assertThat(server.select("select committed - completed_count - dead_count - skipped_count from queen.cursor"
                + " where group_name = 'g' and committed > 0")).hasSize(PARTITIONS).containsOnly("0");
        assertThat(server.select("select sum(head - committed) from queen.cursor c join queen.partition p"
                + " on p.id = c.partition_id where group_name = 'g'")).containsExactly("0");
    }

    /** Runs the work on its own thread, independent of the number of cores. */
    private static CompletableFuture<Void> runAsync(Runnable work) {
        return CompletableFuture.runAsync(work, task -> Thread.ofVirtual().start(task));
    }

    private void consume(QueenClient queen) {
        while (!isOver) {
            Answer popped = queen.pop(queue, "consumerGroup=g", "batch=20", "partitions=2", "wait=true", "timeout=500");
            Map<String, List<JsonNode>> byPartition = popped.messages().stream()
                    .collect(Collectors.groupingBy(each -> each.get("partition").asText()));
            byPartition.forEach(
                    (partition, messages) -> progress.computeIfAbsent(partition, Progress::new).deliver(messages));
            if (!popped.isEmpty()) {
                List<JsonNode> results = queen.ackAll(popped, "completed").list();
                for (int i = 0; i < results.size(); i++) {
                    if (results.get(i).get("success").asBoolean()) {
                        JsonNode message = popped.messages().get(i);
                        progress.get(message.get("partition").asText()).ack(number(message));
                    }
                }
            }
        }
    }

    private static int number(JsonNode message) {
        String id = message.get("transactionId").asText();
        return Integer.parseInt(id.substring(id.indexOf(':') + 1));
    }

    /** The deliveries and acks of one partition. */
    private final class Progress {
        private final String partition;
        private final TreeMap<Integer, Boolean> acked = new TreeMap<>();
        private int deliveredMax = -1;

        Progress(String partition) {
            this.partition = partition;
        }

        /** Delivered numbers must increase by one, and must not start after the next undelivered number. */
        synchronized void deliver(List<JsonNode> messages) {
            int first = number(messages.getFirst());
            if (first > deliveredMax + 1) {
                faults.add(partition + " continued at " + first + " after " + deliveredMax);
            }
            for (int i = 0; i < messages.size(); i++) {
                if (number(messages.get(i)) != first + i) {
                    faults.add(partition + " has " + number(messages.get(i)) + " where " + (first + i) + " belongs");
                }
            }
            deliveredMax = Math.max(deliveredMax, first + messages.size() - 1);
        }

        synchronized void ack(int number) {
            acked.put(number, true);
        }
    }
}
