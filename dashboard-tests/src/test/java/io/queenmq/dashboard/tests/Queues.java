package io.queenmq.dashboard.tests;

import com.fasterxml.jackson.databind.JsonNode;
import io.queenmq.testkit.QueenClient;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue of its own for one test, and what the server says of it. */
record Queues(QueenClient queen, String name) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** One whose failed messages die at once. */
    static Queues create(Board board) {
        Queues queue = new Queues(board.queen(), "own-" + COUNT.incrementAndGet());
        queue.queen.configure(queue.name, Map.of("retryLimit", 0, "retryDelay", 0));
        return queue;
    }

    /** Pushes 0, 1, 2 … into the lane a; their transactionIds are m-0, m-1, m-2 …. */
    Queues filled(int messages) {
        for (int i = 0; i < messages; i++) {
            queen.push(name, "a", List.of("m-" + i));
        }
        return this;
    }

    /** The group g takes the first messages and says this of them. */
    Queues read(int messages, String status) {
        for (int i = 0; i < messages; i++) {
            var message = queen.pop(name, "a", "g", "batch=1").messages().getFirst();
            queen.ack("g",
                    List.of(Map.of("transactionId", message.transactionId(), "partitionId", message.partitionId(),
                            "leaseId", message.leaseId(),
                            "status", status, "error", "it broke")));
        }
        return this;
    }

    /** What the group g gets next; null for nothing. */
    String next() {
        var messages = queen.pop(name, "a", "g", "batch=1").messages();
        return messages.isEmpty() ? null : messages.getFirst().transactionId();
    }

    String laneId() {
        for (JsonNode lane : queen.get("/api/v1/resources/partitions?queue=" + name).body().get("partitions")) {
            if (lane.get("name").asText().equals("a")) {
                return lane.get("id").asText();
            }
        }
        throw new IllegalStateException(name + " has no lane a");
    }

    JsonNode shown() {
        return queen.get("/api/v1/resources/queues/" + name).body();
    }

    int deadLetters() {
        return queen.get("/api/v1/dlq?queue=" + name).body().get("total").asInt();
    }
}
