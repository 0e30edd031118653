package io.queenmq.server.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queenmq.server.scenario.StreamClient.CycleBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Runs a stream query like the published runners: pops a few partitions, reads state, sends a cycle for each partition, and flushes
 * ripe windows. With a given probability, it stops at any point, repeats requests and ignores responses. Owned by one thread.
 */
final class StreamRunner {
    private static final int BATCH = 7;

    /** The operator of the query. */
    interface Operator {
        /** Adds the results of messages of one partition to the cycle. */
        void work(StreamRunner runner, List<JsonNode> messages, CycleBody cycle);

        /** Flushes the ripe windows of a partition, if the operator has windows. */
        default void flush(StreamRunner runner, Partition partition) {}
    }

    /** A partition of which a message was delivered. */
    record Partition(String id, String name) {}

    /** Simulates a crash of the runner at any point. */
    static final class Killed extends RuntimeException {
        Killed(String where) {
            super(where, null, false, false);
        }
    }

    private final StreamClient stream;
    private final StreamClient other;
    private final Operator operator;
    private final Map<String, Partition> partitions;
    private final Random chaos;
    private final int dangerPercent;

    /**
     * @param other a client of the same query at another server
     * @param partitions the partitions of which any runner received messages
     * @param dangerPercent the probability of a crash at each point
     */
    StreamRunner(StreamClient stream, StreamClient other, Operator operator, Map<String, Partition> partitions,
            Random chaos, int dangerPercent) {
        this.stream = stream;
        this.other = other;
        this.operator = operator;
        this.partitions = partitions;
        this.chaos = chaos;
        this.dangerPercent = dangerPercent;
    }

    /** Pops once, processes the messages, and flushes every partition. Returns false if the pop was empty. */
    boolean turn() {
        Map<String, List<JsonNode>> popped = new LinkedHashMap<>();
        for (JsonNode message : stream.pop(BATCH).messages()) {
            String id = message.get("partitionId").asText();
            partitions.computeIfAbsent(id, _ -> new Partition(id, message.get("partition").asText()));
            popped.computeIfAbsent(id, _ -> new ArrayList<>()).add(message);
        }
        mayCrash("after the pop");
        popped.forEach((id, messages) -> {
            CycleBody cycle = stream.cycle(id);
            operator.work(this, messages, cycle);
            mayCrash("before the cycle");
            send(cycle);
        });
        partitions.values().forEach(partition -> operator.flush(this, partition));
        return !popped.isEmpty();
    }

    Partition partition(JsonNode message) {
        return partitions.get(message.get("partitionId").asText());
    }

    CycleBody cycle(Partition partition) {
        return stream.cycle(partition.id());
    }

    /** Returns the value of a key, or null. */
    JsonNode read(Partition partition, String key) {
        ObjectNode filters = JsonNodeFactory.instance.objectNode();
        filters.putArray("keys").add(key);
        JsonNode rows = ask(stream.state(partition.id(), filters));
        return rows.isEmpty() ? null : rows.get(0).get("value");
    }

    JsonNode ripe(Partition partition, long until) {
        return ask(stream.ripe(partition.id(), until));
    }

    private JsonNode ask(Answer answer) {
        mayCrash("after a read");
        return answer.json().path("rows");
    }

    /** Sends the cycle, sometimes twice, sometimes without reading the response. */
    void send(CycleBody cycle) {
        if (dangerPercent > 0 && chaos.nextInt(3) == 0) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> stream.send(cycle));
            other.send(cycle);
            first.join();
        } else {
            stream.send(cycle);
        }
        mayCrash("before the answer to a cycle");
    }

    private void mayCrash(String where) {
        if (chaos.nextInt(100) < dangerPercent) {
            throw new Killed(where);
        }
    }
}
