package io.queenmq.verify.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.verify.load.Requests.Delivery;
import io.queenmq.verify.load.Requests.Message;
import io.queenmq.verify.load.Requests.Popped;
import io.queenmq.verify.load.Session.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A runner of a stream query: counts the messages of each partition, and those of each session, whose result it pushes when the
 * session has ended. A gate sometimes denies the rest of a batch, or all of it.
 */
final class StreamRunner extends Worker {
    private static final int LEASE_SECONDS = 4;
    private static final int SESSION_MILLIS = 1_500;
    private static final int REPETITIONS = 3;
    static final String TOTAL = "total";
    private static final String SESSION = "session-";

    private final Plan plan;
    private final String source;
    private final String target;
    private final Deliveries deliveries;
    private @Nullable String query;

    StreamRunner(Session session, Plan plan, String source, String target, Deliveries deliveries) {
        super(session, plan.seed());
        this.plan = plan;
        this.source = source;
        this.target = target;
        this.deliveries = deliveries;
    }

    static String queryName(String source) {
        return source + "-counts";
    }

    /** Registers the query, and returns its group; null if the server did not confirm it. */
    static @Nullable String register(Requests requests, String source, String target) {
        Result result = requests.session()
                .call("POST", "/streams/v1/queries", Session.object().put("name", queryName(source))
                        .put("source_queue", source).put("sink_queue", target).put("config_hash", "1"),
                        Requests.PATIENCE);
        return result.isOk() ? result.body().path("query_id").asText() : null;
    }

    @Override
    protected void step() {
        String id = query;
        if (id == null) {
            query = register(requests, source, target);
            pause(Duration.ofMillis(200));
            return;
        }
        Popped popped = requests.pop(source, null, "streams." + id, 1 + random.nextInt(20), 1, Duration.ofMillis(500),
                LEASE_SECONDS, false);
        if (popped.messages().isEmpty()) {
            pause(Duration.ofMillis(popped.isUnknown() ? 300 : 0));
            return;
        }
        deliveries.count();
        String partitionId = popped.messages().getFirst().partitionId();
        JsonNode rows = read(id, partitionId, null);
        if (rows == null || !deliveries.isDraining() && chance(0.03)) {
            // The gate denies all messages: the lease expires.
            return;
        }
        boolean isPart = !deliveries.isDraining() && popped.messages().size() > 1 && chance(0.05);
        List<Delivery> accepted = isPart
                ? popped.messages().subList(0, popped.messages().size() / 2)
                : popped.messages();
        count(id, popped.lease(), accepted, rows, !isPart);
        if (chance(0.3)) {
            flush(id, partitionId);
        }
    }

    private @Nullable JsonNode read(String id, String partitionId, @Nullable Long ripeAt) {
        ObjectNode body = Session.object().put("query_id", id).put("partition_id", partitionId);
        body.putArray("keys");
        if (ripeAt != null) {
            body.put("ripe_at_or_before", ripeAt);
        }
        Result result = session.call("POST", "/streams/v1/state/get", body, Requests.PATIENCE);
        return result.isOk() ? result.body().path("rows") : null;
    }

    private void count(String id, String lease, List<Delivery> messages, JsonNode rows, boolean isReleased) {
        long now = System.currentTimeMillis();
        long total = 0;
        String session = SESSION + now + "-" + random.nextInt(1_000_000);
        long inSession = 0;
        for (JsonNode row : rows) {
            JsonNode value = row.path("value");
            if (row.path("key").asText().equals(TOTAL)) {
                total = value.path("n").asLong();
            } else if (value.path("windowEnd").asLong() > now) {
                session = row.path("key").asText();
                inSession = value.path("n").asLong();
            }
        }
        Delivery last = messages.getLast();
        ObjectNode cycle = cycle(id, last.partitionId());
        ArrayNode changes = cycle.putArray("state_ops");
        changes.addObject().put("type", "upsert").put("key", TOTAL).putObject("value").put("n",
                total + messages.size());
        changes.addObject().put("type", "upsert").put("key", session).putObject("value")
                .put("n", inSession + messages.size()).put("windowEnd", now + SESSION_MILLIS);
        cycle.putObject("ack").put("transactionId", last.transactionId()).put("leaseId", lease).put("count",
                messages.size());
        cycle.put("release_lease", isReleased);
        send(cycle, lease, messages, List.of(), 0);
    }

    /** Pushes the result of each session that has ended, and deletes it. A session that has ended never changes. */
    private void flush(String id, String partitionId) {
        JsonNode rows = read(id, partitionId, System.currentTimeMillis() - SESSION_MILLIS);
        if (rows == null || rows.isEmpty()) {
            return;
        }
        ObjectNode cycle = cycle(id, partitionId);
        ArrayNode changes = cycle.putArray("state_ops");
        long sum = 0;
        for (JsonNode row : rows) {
            changes.addObject().put("type", "delete").put("key", row.path("key").asText());
            sum += row.path("value").path("n").asLong();
        }
        long m = plan.newMessage();
        send(cycle, "", List.of(), List.of(new Message(m, target, "s", "m" + m, false)), sum);
    }

    private static ObjectNode cycle(String id, String partitionId) {
        return Session.object().put("query_id", id).put("partition_id", partitionId).put("consumer_group",
                "streams." + id);
    }

    /** Sends a cycle, and repeats the same bytes while its outcome is unknown. */
    private void send(ObjectNode cycle, String lease, List<Delivery> acks, List<Message> pushes, long sum) {
        ArrayNode items = cycle.putArray("push_items");
        pushes.forEach(each -> items.add(Requests.item(each)));
        for (int i = 0; i < REPETITIONS; i++) {
            Result result = session.call("POST", "/streams/v1/cycle", cycle, Requests.PATIENCE);
            Result recorded = result.isOk() && !result.body().path("success").asBoolean()
                    ? new Result(result.start(), 409, result.body())
                    : result;
            ObjectNode line = requests.transaction(cycle.path("consumer_group").asText(), lease, new ArrayList<>(acks),
                    pushes);
            line.put("stream", cycle.path("partition_id").asText()).put("sum", sum);
            if (acks.isEmpty() && recorded.isOk() && result.body().path("state_ops_applied").asInt() == 0) {
                // Another runner had flushed the same sessions, or an earlier request with these bytes had.
                line.put("applied", false);
            }
            session.append("transaction", recorded, line);
            if (!recorded.isUnknown() || isStopped()) {
                return;
            }
            pause(Duration.ofMillis(300));
        }
    }
}
