package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.function.ToLongFunction;

/** Changes of queues with very many partitions, which servers make in pages, in the background. */
public final class Operations {
    private static final int LIMIT = 1_000;
    private static final Duration POLL_EVERY = Duration.ofMillis(500);

    private final Wire wire;

    Operations(Wire wire) {
        this.wire = wire;
    }

    /** Lists running operations and those that finished within the last week, latest first. */
    public List<OperationProgress> list() {
        return wire.send(Call.get("/api/v1/operations?limit=" + LIMIT)).json().get("operations").list().stream()
                .map(each -> new OperationProgress(each.get("operationId").string(), each.get("kind").string(),
                        each.get("status").string(), each.get("queue").string(), each.get("partition").text(),
                        each.get("consumerGroup").text(), each.get("partitionsDone").number(),
                        each.get("partitionsTotal").number(), each.get("partitionsChanged").number(),
                        each.get("messagesRemoved").number(), each.get("startedAt").moment(),
                        each.get("finishedAt").instant()))
                .toList();
    }

    /**
     * Returns the count in the response to a change. When the server continues the change in the background, waits until it
     * is finished and returns the count of that moment. An interrupted thread stops waiting; the change continues.
     */
    long finished(JsonNode response, String field, ToLongFunction<OperationProgress> count) {
        long done = response.get(field).number();
        boolean isRunning = response.get("inProgress").bool();
        String id = isRunning ? response.get("operationId").string() : "";
        while (isRunning) {
            try {
                Thread.sleep(POLL_EVERY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return done;
            }
            List<OperationProgress> ours = list().stream().filter(each -> each.operationId().equals(id)).toList();
            done = ours.stream().mapToLong(count).sum();
            isRunning = ours.stream().anyMatch(OperationProgress::isRunning);
        }
        return done;
    }
}
