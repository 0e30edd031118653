package io.queenmq.dashboard.tests;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.QueenClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A queue for one test, with queries of its state. */
record Queues(QueenClient queen, String name) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Creates a queue whose failed messages are dead-lettered at once. */
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

    /** Pops the first messages for the group g and acknowledges them with this status. */
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

    /** Pushes this number of messages in one request, and dead-letters them in one request. */
    Queues dead(int messages) {
        queen.push(name, "a", IntStream.range(0, messages).mapToObj(i -> "m-" + i).toList());
        queen.ack("g", queen.pop(name, "a", "g", "batch=" + messages).messages().stream()
                .map(message -> message.ack("failed")).toList());
        return this;
    }

    /** Returns the next transactionId for the group g; null if there is none. */
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

    /** Returns the latest redrive of this queue. */
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
