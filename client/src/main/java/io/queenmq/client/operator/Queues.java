package io.queenmq.client.operator;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.QueueDefinition.Mode;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Query;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues: create, define, configure, list, pause, clear, delete. */
public final class Queues {
    private static final Logger log = LoggerFactory.getLogger(Queues.class);
    private static final String PATH = "/api/v1/resources/queues";
    private static final int NOT_FOUND = 404;
    /** The largest number of partitions for which the server counts at each request. */
    private static final int COUNTED_PARTITIONS_MAX = 1000;
    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Queues(Wire wire) {
        this.wire = wire;
    }

    /** Creates the queue, or changes the named options. */
    public ConfiguredQueue configure(String queue, QueueOptions options) {
        return configure(queue, null, null, options);
    }

    /** Creates or changes a queue with a namespace and a task; null keeps the current one. */
    public ConfiguredQueue configure(String queue, @Nullable String namespace, @Nullable String task,
            QueueOptions options) {
        JsonWriter body = new JsonWriter().beginObject().field("queue", Names.requireQueue(queue))
                .field("namespace", namespace).field("task", task).name("options");
        options.write(body);
        JsonNode response = wire.send(Call.post("/api/v1/configure", body.endObject().bytes())).json();
        return new ConfiguredQueue(response.get("queueId").string(), response.get("queue").string(),
                response.get("namespace").string(), response.get("task").string(),
                QueueOptions.read(response.get("options")));
    }

    /**
     * Ensures that a queue exists that the application needs: creates it, changes it, or only checks it, according to
     * the definition. A different option that is kept causes a warning in the log.
     *
     * @throws RefusedException if the queue is missing and must not be created, or if the token does not allow its
     *     creation
     */
    public void define(QueueDefinition definition) {
        Optional<QueueDetail> found = find(definition.name());
        if (found.isEmpty() && definition.mode() == Mode.REQUIRE) {
            throw new RefusedException(NOT_FOUND,
                    "the queue '" + definition.name() + "' does not exist; create it first, with"
                            + " `queen queue configure " + definition.name()
                            + "` for example, or let the application create it by a"
                            + " QueueDefinition that is not required()");
        }
        if (found.isEmpty() || definition.mode() == Mode.CHANGE) {
            configure(definition.name(), definition.namespace(), definition.task(), definition.options());
            return;
        }
        definition.options().values().forEach((option, wanted) -> {
            Object is = found.get().options().values().get(option);
            if (!isSame(wanted, is)) {
                log.warn(
                        "queue option differs from the application's definition and is kept: {}.{} is {}, defined as {}",
                        definition.name(), option, is, wanted);
            }
        });
    }

    /** Compares numbers regardless of their types in Java and JSON. */
    private static boolean isSame(Object wanted, @Nullable Object is) {
        return wanted instanceof Number one && is instanceof Number other
                ? one.doubleValue() == other.doubleValue()
                : wanted.equals(is);
    }

    /** Lists queues, newest first. */
    public List<QueueSummary> list(int limit, int offset) {
        return wire.send(Call.get(PATH + new Query().add("limit", limit).add("offset", offset))).json().get("queues")
                .list().stream().map(each -> {
                    JsonNode messages = each.get("messages");
                    return new QueueSummary(each.get("id").string(), each.get("name").string(),
                            each.get("namespace").string(), each.get("task").string(), each.get("createdAt").moment(),
                            each.get("partitions").number(), messages.get("total").number(),
                            messages.get("pending").number(), messages.get("processing").number(),
                            messages.get("deadLetter").number(), each.get("consumers").number(),
                            Double.parseDouble(each.get("pushedPerSecond").text("0")),
                            Double.parseDouble(each.get("ackedPerSecond").text("0")), each.get("paused").bool(),
                            each.get("maxSize").number());
                }).toList();
    }

    /** Returns one queue with its configuration. */
    public Optional<QueueDetail> find(String queue) {
        Reply reply = wire.send(Call.get(path(queue) + "?limit=" + COUNTED_PARTITIONS_MAX));
        return reply.status() == NOT_FOUND ? Optional.empty() : Optional.of(QueueDetail.read(reply.json()));
    }

    public List<QueueTotals> namespaces() {
        return families("namespaces", "namespace");
    }

    public List<QueueTotals> tasks() {
        return families("tasks", "task");
    }

    private List<QueueTotals> families(String many, String one) {
        return wire.send(Call.get("/api/v1/resources/" + many)).json().get(many).list().stream()
                .map(each -> new QueueTotals(each.get(one).string(), each.get("queues").number(),
                        each.get("partitions").number(), each.get("messages").get("total").number(),
                        each.get("messages").get("pending").number()))
                .toList();
    }

    /** Lists the throughput of the queue per minute or longer interval, latest first. */
    public List<Throughput> throughput(String queue, @Nullable Instant from, @Nullable Instant to) {
        String path = "/api/v1/status" + new Query().add("queue", queue).add("from", from).add("to", to);
        return wire.send(Call.get(path)).json().get("throughput").list().stream().map(Throughput::read).toList();
    }

    /** Recounts the totals of partitions, which lists show as last counted. */
    public void refreshCounts() {
        wire.send(Call.post("/api/v1/stats/refresh", NO_FIELDS)).json();
    }

    /** Pauses deliveries of the queue. Pushes are still accepted, and leased messages may be finished. */
    public void pause(String queue) {
        wire.send(Call.post(path(queue) + "/pause", NO_FIELDS)).json();
    }

    /** Ends a pause. */
    public void resume(String queue) {
        wire.send(Call.post(path(queue) + "/resume", NO_FIELDS)).json();
    }

    /**
     * Deletes all messages of the queue for all groups and ends its leases. Dead letters stay.
     *
     * @return the number of deleted messages
     */
    public long clear(String queue) {
        return clear(queue, null);
    }

    /** Deletes all messages of one partition. */
    public long clear(String queue, @Nullable String partition) {
        String path = "/api/v1/queues/" + Names.encode(Names.requireQueue(queue)) + "/clear";
        return new Operations(wire).finished(
                wire.send(Call.delete(path + new Query().add("partition", partition)).repeat(Repeat.NEVER)).json(),
                "cleared", OperationProgress::messagesRemoved);
    }

    /**
     * Deletes the queue with its messages. Returns false if there was none. The name is available at once; the
     * partitions of a large queue are removed in the background.
     */
    public boolean delete(String queue) {
        return wire.send(Call.delete(path(queue))).json().get("existed").bool();
    }

    private static String path(String queue) {
        return PATH + "/" + Names.encode(Names.requireQueue(queue));
    }
}
