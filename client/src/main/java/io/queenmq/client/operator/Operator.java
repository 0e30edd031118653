package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The operator's side of Queen. Reads are repeated when a server fails; what changes something is repeated only where doing
 * it twice is doing it once, and fails with {@link io.queenmq.client.error.OutcomeUnknownException} otherwise.
 */
public final class Operator {
    private final Wire wire;
    private final Executor threads;

    /** Made by {@link io.queenmq.client.Queen#operator}. */
    public Operator(@SuppressWarnings("exports") Wire wire) {
        this.wire = wire;
        this.threads = task -> Thread.ofVirtual().name("queen-operator").start(task);
    }

    /**
     * How one of the servers is; each is asked once.
     *
     * @throws io.queenmq.client.error.UnavailableException when none can work
     */
    public Health health() {
        JsonNode answer = wire.send(Call.get("/health"), Duration.ZERO).json();
        return new Health(answer.get("status").string().equals("healthy"), answer.get("database").text("unknown"),
                answer.get("version").text("unknown"),
                new Maintenance.Status(answer.get("maintenance").get("push").bool(),
                        answer.get("maintenance").get("pop").bool()),
                answer.get("warnings").list().stream().map(JsonNode::string).toList());
    }

    /** How much there is of everything. */
    public Overview overview() {
        return Overview.read(wire.send(Call.get("/api/v1/resources/overview")).json());
    }

    /** The servers on the database, as one of them knows them. */
    public Cluster cluster() {
        return Cluster.read(wire.send(Call.get("/api/v1/system/shared-state")).json());
    }

    /** Where the shards of the database are, and how large. */
    public Shards shards() {
        return Shards.read(wire.send(Call.get("/api/v1/analytics/shards")).json());
    }

    /** The keys that stored messages are encrypted with. Needs the role admin. */
    public Encryption encryption() {
        return Encryption.read(wire.send(Call.get("/api/v1/system/encryption")).json());
    }

    /** Who the server takes this client for, and what it may do. */
    public Identity identity() {
        JsonNode answer = wire.send(Call.get("/api/v1/identity")).json();
        return new Identity(answer.get("subject").text(), answer.get("role").string(),
                answer.get("isTokenNeeded").bool());
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

    /** Any call of this class as a future, as in {@code operator.async(o -> o.queues().delete("orders"))}. */
    public <R> CompletableFuture<R> async(Function<Operator, R> call) {
        return CompletableFuture.supplyAsync(() -> call.apply(this), threads);
    }
}
