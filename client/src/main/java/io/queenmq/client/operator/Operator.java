package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The operator functions of Queen. Reads are repeated if a server fails. Changes are repeated only if they are
 * idempotent; otherwise they fail with {@link io.queenmq.client.error.OutcomeUnknownException}.
 */
public final class Operator {
    private final Wire wire;
    private final Executor threads;

    /** Created by {@link io.queenmq.client.Queen#operator}. */
    public Operator(@SuppressWarnings("exports") Wire wire) {
        this.wire = wire;
        this.threads = task -> Thread.ofVirtual().name("queen-operator").start(task);
    }

    /**
     * Returns the health of one of the servers. Each is tried once.
     *
     * @throws io.queenmq.client.error.UnavailableException if none is healthy
     */
    public Health health() {
        JsonNode response = wire.send(Call.get("/health"), Duration.ZERO).json();
        return new Health(response.get("status").string().equals("healthy"), response.get("database").text("unknown"),
                response.get("version").text("unknown"),
                new Maintenance.Status(response.get("maintenance").get("push").bool(),
                        response.get("maintenance").get("pop").bool()),
                response.get("warnings").list().stream().map(JsonNode::string).toList());
    }

    /** Returns the state of one of the servers, also while PostgreSQL is unavailable. Each server is tried once. */
    public ServerState state() {
        JsonNode response = wire.send(Call.get("/health/startup"), Duration.ZERO).json();
        return new ServerState(response.get("status").string().equals("healthy"), response.get("summary").text(""),
                response.get("database").text("unknown"), response.get("version").text("unknown"),
                new Maintenance.Status(response.get("maintenance").get("push").bool(),
                        response.get("maintenance").get("pop").bool()),
                response.get("warnings").list().stream().map(JsonNode::string).toList(),
                Spool.read(response.get("spool")));
    }

    /**
     * Changes the level of a logger of one server, until the server stops.
     *
     * @param logger the name of a class or package; {@code ROOT} for all others
     * @param level {@code trace}, {@code debug}, {@code info}, {@code warn}, {@code error}, or {@code inherit} for that of the
     *     package
     */
    public void setLogLevel(String logger, String level) {
        wire.send(Call.post("/api/v1/system/log-level",
                new JsonWriter().beginObject().field("logger", logger).field("level", level).endObject().bytes()))
                .json();
    }

    /** Returns the loggers of one server that have a level of their own, with it. */
    public Map<String, String> logLevels() {
        Map<String, String> levels = new LinkedHashMap<>();
        wire.send(Call.get("/api/v1/system/log-level")).json().get("loggers").list()
                .forEach(each -> levels.put(each.get("logger").string(), each.get("level").string()));
        return levels;
    }

    /** Returns the totals of all objects. */
    public Overview overview() {
        return Overview.read(wire.send(Call.get("/api/v1/resources/overview")).json());
    }

    /** Returns the servers of the database, as reported by one of them. */
    public Cluster cluster() {
        return Cluster.read(wire.send(Call.get("/api/v1/system/shared-state")).json());
    }

    /** Returns the location and size of the shards. */
    public Shards shards() {
        return Shards.read(wire.send(Call.get("/api/v1/analytics/shards")).json());
    }

    /** Returns the keys that encrypt stored messages. Needs the role admin. */
    public Encryption encryption() {
        return Encryption.read(wire.send(Call.get("/api/v1/system/encryption")).json());
    }

    /** Returns the identity and the role of this client. */
    public Identity identity() {
        JsonNode response = wire.send(Call.get("/api/v1/identity")).json();
        return new Identity(response.get("subject").text(), response.get("role").string(),
                response.get("isTokenNeeded").bool());
    }

    public Queues queues() {
        return new Queues(wire);
    }

    public Groups groups() {
        return new Groups(wire);
    }

    public Partitions partitions() {
        return new Partitions(wire);
    }

    public Messages messages() {
        return new Messages(wire);
    }

    public DeadLetters deadLetters() {
        return new DeadLetters(wire);
    }

    public Traces traces() {
        return new Traces(wire);
    }

    public Numbers numbers() {
        return new Numbers(wire);
    }

    public Streams streams() {
        return new Streams(wire);
    }

    public Maintenance maintenance() {
        return new Maintenance(wire);
    }

    public Spool spool() {
        return new Spool(wire);
    }

    public Operations operations() {
        return new Operations(wire);
    }

    public Keys keys() {
        return new Keys(wire);
    }

    public Audit audit() {
        return new Audit(wire);
    }

    public Tokens tokens() {
        return new Tokens(wire);
    }

    /** Runs any call of this class asynchronously: {@code operator.async(o -> o.queues().delete("orders"))}. */
    public <R> CompletableFuture<R> async(Function<Operator, R> call) {
        return CompletableFuture.supplyAsync(() -> call.apply(this), threads);
    }
}
