package io.queenmq.server.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.QueenClient;
import io.queenmq.testkit.QueenClient.Answer;
import io.queenmq.testkit.QueenClient.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** A consumer that mostly acknowledges correctly, and sometimes late, partially, out of order or not at all. */
final class Consumer {
    private final List<QueenClient> servers;
    private final String queue;
    private final String group;
    private final int partitions;
    private final Duration leaseTime;
    private final Random random;
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Set<String> nacked = new HashSet<>();
    private final Map<String, Long> completed = new HashMap<>();

    Consumer(List<QueenClient> servers, String queue, String group, int partitions, Duration leaseTime, long seed) {
        this.servers = servers;
        this.queue = queue;
        this.group = group;
        this.partitions = partitions;
        this.leaseTime = leaseTime;
        this.random = new Random(seed);
    }

    void run(BooleanSupplier isOver) {
        while (!isOver.getAsBoolean()) {
            String partition = random.nextInt(4) == 0 ? "partition-" + random.nextInt(partitions) : null;
            long beganNs = System.nanoTime();
            Answer answer = server().pop(queue, partition, group,
                    "wait=true&timeout=200&batch=" + (1 + random.nextInt(10)));
            assertThat(answer.status()).as("pop: %s", answer).isIn(200, 204);
            if (answer.status() == 200) {
                Delivery delivery = new Delivery(group, answer.body().path("leaseId").asText(), answer.messages(),
                        beganNs);
                deliveries.add(delivery);
                handle(delivery);
            }
        }
    }

    private QueenClient server() {
        return servers.get(random.nextInt(servers.size()));
    }

    private void handle(Delivery delivery) {
        List<Message> messages = delivery.messages();
        switch (random.nextInt(20)) {
            case 0 -> {
                pause(leaseTime.plusMillis(random.nextInt(300)));
                ack(delivery, messages, "completed");
            }
            case 1 -> {
                assertThat(
                        server().post("/api/v1/lease/" + delivery.leaseId() + "/extend", Map.of("seconds", 2)).status())
                        .isIn(200, 404);
                pause(leaseTime.plusMillis(100));
                ack(delivery, messages, "completed");
            }
            case 2 -> {
                // The consumer never acknowledges.
            }
            case 3 -> {
                int split = random.nextInt(messages.size());
                ack(delivery, messages.subList(split, messages.size()), "completed");
                ack(delivery, messages.subList(0, split), "completed");
            }
            case 4 -> {
                int failing = random.nextInt(messages.size());
                nacked.add(delivery.leaseId());
                ack(delivery, List.of(messages.get(failing)), random.nextBoolean() ? "failed" : "retry");
            }
            case 5 -> {
                int failing = random.nextInt(messages.size());
                nacked.add(delivery.leaseId());
                ack(delivery, messages.subList(0, failing), "completed");
                ack(delivery, messages.subList(failing, messages.size()), "failed");
            }
            default -> ack(delivery, messages, "completed");
        }
    }

    private void ack(Delivery delivery, List<Message> messages, String status) {
        Answer answer = server().ack(delivery.group(), messages.stream().map(message -> message.ack(status)).toList());
        long nowNs = System.nanoTime();
        assertThat(answer.status()).as("ack: %s", answer).isEqualTo(200);
        for (int i = 0; i < messages.size(); i++) {
            JsonNode result = answer.body().get(i);
            if (status.equals("completed") && result.path("success").asBoolean()) {
                completed.putIfAbsent(messages.get(i).partition() + ":" + messages.get(i).transactionId(), nowNs);
            }
        }
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String group() {
        return group;
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    /** Returns the leases with messages that were nacked. */
    Set<String> nacked() {
        return nacked;
    }

    /** Returns the completed messages, with the time of the response. */
    Map<String, Long> completed() {
        return completed;
    }
}
