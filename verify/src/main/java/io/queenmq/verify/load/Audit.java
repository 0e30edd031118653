package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.history.History;
import io.queenmq.verify.load.Session.Result;
import java.time.Duration;

/** Reads what is stored at the end of a run. No fault is active, so no response is lost. Owned by one thread. */
final class Audit implements AutoCloseable {
    static final String GROUP = "verify-audit";
    private static final int BATCH = 2_000;
    private static final int EMPTY_RESPONSES = 3;
    private static final int PAGE = 1_000;

    private final Session session;
    private final Requests requests;
    private final History history;

    Audit(Session session) {
        this.session = session;
        this.requests = new Requests(session);
        this.history = session.history();
    }

    /** Reads a queue with autoAck as a new group. */
    void readAll(String queue) {
        long start = history.nowMicros();
        int empty = 0;
        boolean isComplete = true;
        while (empty < EMPTY_RESPONSES && isComplete) {
            Requests.Popped popped = requests.pop(queue, null, GROUP, BATCH, 100,
                    empty == 0 ? Duration.ZERO : Duration.ofSeconds(1), 0, true);
            isComplete = !popped.isUnknown();
            empty = popped.messages().isEmpty() ? empty + 1 : 0;
        }
        // While PostgreSQL is unavailable, pops return nothing.
        isComplete &= session.call("GET", "/health", null, Requests.PATIENCE).isOk();
        history.append("audit", "audit", start, Session.object().put("queue", queue).put("complete", isComplete));
    }

    void letters(String queue) {
        ObjectNode line = Session.object().put("queue", queue);
        ArrayNode letters = line.putArray("letters");
        long start = history.nowMicros();
        for (int offset = 0;; offset += PAGE) {
            Result result = session.call("GET",
                    "/api/v1/dlq?queue=" + Requests.encoded(queue) + "&limit=" + PAGE + "&offset=" + offset, null,
                    Requests.PATIENCE);
            for (JsonNode each : result.body().path("messages")) {
                letters.addObject().put("m", each.path("data").path("m").asLong(-1))
                        .put("group", each.path("consumerGroup").asText())
                        .put("partitionId", each.path("partitionId").asText())
                        .put("attempts", each.path("retryCount").asInt()).put("reason", each.path("reason").asText());
            }
            if (result.body().path("messages").size() < PAGE) {
                history.append("audit", "letters", start, line);
                return;
            }
        }
    }

    void count(String queue) {
        long start = history.nowMicros();
        Result result = session.call("GET", "/api/v1/resources/queues/" + Requests.encoded(queue), null,
                Requests.PATIENCE);
        JsonNode totals = result.body().path("totals");
        ObjectNode line = Session.object().put("queue", queue).put("outcome", result.outcome());
        if (result.isOk()) {
            line.put("stored", totals.path("total").asLong()).put("pending", totals.path("pending").asLong())
                    .put("dead", totals.path("deadLetter").asLong());
        }
        history.append("audit", "count", start, line);
    }

    /** Reads the state of a stream query in each partition: the messages that it counted, and those of sessions without a result. */
    void streamState(String queue, String group) {
        String target = "/streams/v1/queries/" + Requests.encoded(StreamRunner.queryName(queue));
        JsonNode partitions = session.call("GET", target + "?limit=" + PAGE, null, Requests.PATIENCE).body()
                .path("partitions");
        for (JsonNode partition : partitions) {
            long start = history.nowMicros();
            Result result = session.call("GET", target + "/partitions/"
                    + Requests.encoded(partition.path("partition").asText()) + "/state?limit=" + PAGE, null,
                    Requests.PATIENCE);
            ObjectNode line = Session.object().put("queue", queue).put("group", group)
                    .put("partition", partition.path("partition").asText())
                    .put("partitionId", partition.path("partitionId").asText()).put("outcome", result.outcome());
            long total = 0;
            long open = 0;
            for (JsonNode row : result.body().path("rows")) {
                long n = row.path("value").path("n").asLong();
                if (row.path("key").asText().equals(StreamRunner.TOTAL)) {
                    total = n;
                } else {
                    open += n;
                }
            }
            history.append("audit", "state", start, line.put("total", total).put("open", open));
        }
    }

    @Override
    public void close() {
        session.close();
    }
}
