package io.queenmq.dashboard.tests;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.QueenClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A queue of its own for one test, and what the server says of it. */
record Queues(QueenClient queen, String name) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** One whose failed messages die at once. */
    static Queues create(Board board) {
        Queues queue = new Queues(board.queen(), "own-" + COUNT.incrementAndGet());
        queue.queen.configure(queue.name, Map.of("retryLimit", 0, "retryDelay", 0));
        return queue;
    }

    /** Pushes 0, 1, 2 … into the partition a; their transactionIds are m-0, m-1, m-2 …. */
    Queues filled(int messages) {
        for (int i = 0; i < messages; i++) {
            queen.push(name, "a", List.of("m-" + i));
        }
        return this;
    }

    /** The group g takes the first messages and says this of them. */
    Queues read(int messages, String status) {
        return read(messages, status, "it broke");
    }

    Queues read(int messages, String status, String error) {
        for (int i = 0; i < messages; i++) {
            var message = queen.pop(name, "a", "g", "batch=1").messages().getFirst();
            queen.ack("g", List.of(Map.of("transactionId", message.transactionId(), "partitionId",
                    message.partitionId(), "leaseId", message.leaseId(), "status", status, "error", error)));
        }
        return this;
    }

    /** That many messages, pushed together and given up together. */
    Queues dead(int messages) {
        queen.push(name, "a", IntStream.range(0, messages).mapToObj(i -> "m-" + i).toList());
        queen.ack("g", queen.pop(name, "a", "g", "batch=" + messages).messages().stream()
                .map(message -> message.ack("failed")).toList());
        return this;
    }

    /** What the group g gets next; null for nothing. */
    String next() {
        var messages = queen.pop(name, "a", "g", "batch=1").messages();
        return messages.isEmpty() ? null : messages.getFirst().transactionId();
    }

    String partitionId() {
        for (JsonNode partition : queen.get("/api/v1/resources/partitions?queue=" + name).body().get("partitions")) {
            if (partition.get("name").asText().equals("a")) {
                return partition.get("id").asText();
            }
        }
        throw new IllegalStateException(name + " has no partition a");
    }

    JsonNode shown() {
        return queen.get("/api/v1/resources/queues/" + name).body();
    }

    /** The latest one of this queue. */
    JsonNode redrive() {
        for (JsonNode redrive : queen.get("/api/v1/dlq/redrives").body().get("redrives")) {
            if (redrive.path("queue").asText().equals(name)) {
                return redrive;
            }
        }
        throw new IllegalStateException(name + " was never redriven");
    }

    int deadLetters() {
        return queen.get("/api/v1/dlq?queue=" + name).body().get("total").asInt();
    }
}
