package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.server.harness.Cluster;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** All operations run concurrently on a few partitions while their queues are deleted and created again. */
class QueueDeletionUnderLoadTest {
    private static final List<String> QUEUES = List.of("storm-a", "storm-b", "storm-c");
    private static final int PARTITIONS = 3;
    private static final int WORKERS = 16;
    private static final Duration LENGTH = Duration.ofSeconds(8);
    /** A minimum for slow machines. */
    private static final int OPERATIONS_MIN = 20;

    @Test
    void noRequestFailsUnexpectedly() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("rerun with -Dseed=" + seed);
        try (Cluster cluster = Cluster.of(2); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(new Worker(cluster.clients(), new Random(seed + i)));
            }
            long deadlineNs = System.nanoTime() + LENGTH.toNanos();
            for (Future<?> work : threads.invokeAll(workers.stream().<Callable<Void>>map(worker -> () -> {
                worker.run(deadlineNs);
                return null;
            }).toList())) {
                work.get();
            }

            assertThat(cluster.rows("select deadlocks from pg_stat_database where datname = current_database()"))
                    .containsExactly(List.of(0L));
            bothServersWork(cluster);
        }
    }

    private static void bothServersWork(Cluster cluster) {
        for (String queue : QUEUES) {
            for (QueenClient client : cluster.clients()) {
                String partition = UUID.randomUUID().toString();
                assertThat(client.push(queue, partition, List.of("after")).status()).isEqualTo(201);
                List<Message> messages = client.pop(queue, partition, null, "wait=true&timeout=60000").messages();
                assertThat(messages).extracting(Message::transactionId).containsExactly("after");
                assertThat(client.ack(null, List.of(messages.getFirst().ack("completed"))).body().path(0)
                        .path("success").asBoolean()).isTrue();
            }
        }
    }

    private static final class Worker {
        private final List<QueenClient> servers;
        private final Random random;
        private final Deque<List<Message>> popped = new ArrayDeque<>();
        private int done;

        Worker(List<QueenClient> servers, Random random) {
            this.servers = servers;
            this.random = random;
        }

        void run(long deadlineNs) {
            while (System.nanoTime() < deadlineNs || done < OPERATIONS_MIN) {
                switch (random.nextInt(24)) {
                    case 0 -> expect(200, server().delete("/api/v1/resources/queues/" + queue()));
                    case 1 -> expect(200, server().configure(queue(), Map.of("leaseTime", 1, "retryDelay", 0)));
                    case 2, 3, 4, 5, 6, 7 -> push();
                    case 8, 9, 10, 11, 12, 13 -> pop();
                    case 14, 15, 16, 17 -> ack();
                    case 18, 19, 20, 21 -> transact();
                    default -> renew();
                }
                done++;
            }
        }

        private void push() {
            List<Object> items = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                items.addAll(QueenClient.items(queue(), partition(), List.of(UUID.randomUUID().toString())));
            }
            Answer answer = server().post("/api/v1/push", Map.of("items", items));
            expect(201, answer);
            for (JsonNode result : answer.body()) {
                assertThat(result.path("status").asText()).as("push: %s", answer).isEqualTo("queued");
            }
        }

        private void pop() {
            Answer answer = server().pop(queue(), random.nextBoolean() ? partition() : null,
                    random.nextBoolean() ? "g" : null, "batch=5&partitions=2&autoAck=" + (random.nextInt(5) == 0));
            assertThat(answer.status()).as("pop: %s", answer).isIn(200, 204);
            List<Message> messages = answer.messages().stream().filter(each -> !each.leaseId().isEmpty()).toList();
            if (!messages.isEmpty()) {
                popped.add(messages);
            }
        }

        private void ack() {
            if (!popped.isEmpty()) {
                List<String> statuses = List.of("completed", "completed", "failed", "retry", "dlq");
                expect(200, server().ack(random.nextBoolean() ? "g" : null, popped.poll().stream()
                        .map(message -> message.ack(statuses.get(random.nextInt(statuses.size())))).toList()));
            }
        }

        private void transact() {
            List<Object> operations = new ArrayList<>();
            List<String> leases = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                operations.add(Map.of("type", "push", "items",
                        QueenClient.items(queue(), partition(), List.of(UUID.randomUUID().toString()))));
            }
            if (!popped.isEmpty()) {
                List<Message> messages = popped.poll();
                messages.forEach(message -> operations.add(Map.of("type", "ack", "transactionId",
                        message.transactionId(), "partitionId", message.partitionId(), "consumerGroup", "g")));
                leases.add(messages.getFirst().leaseId());
            }
            expect(200,
                    server().post("/api/v1/transaction", Map.of("operations", operations, "requiredLeases", leases)));
        }

        private void renew() {
            if (!popped.isEmpty()) {
                assertThat(server()
                        .post("/api/v1/lease/" + popped.peek().getFirst().leaseId() + "/extend", Map.of("seconds", 1))
                        .status()).isIn(200, 404);
            }
        }

        private static void expect(int status, Answer answer) {
            assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        }

        private QueenClient server() {
            return servers.get(random.nextInt(servers.size()));
        }

        private String queue() {
            return QUEUES.get(random.nextInt(QUEUES.size()));
        }

        private String partition() {
            return "partition-" + random.nextInt(PARTITIONS);
        }
    }
}
