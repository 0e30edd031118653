package io.queenmq.server.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The HTTP client of a stream query, as runners use it. Safe from any thread. */
final class StreamClient {
    private final QueenClient queen;
    private final String queue;
    private final String queryId;

    private StreamClient(QueenClient queen, String queue, String queryId) {
        this.queen = queen;
        this.queue = queue;
        this.queryId = queryId;
    }

    /** Registers a query with the name of the queue that it reads. */
    static StreamClient register(QueenClient queen, String queue) {
        JsonNode answer = register(queen, queue, queue, "hash-1", false).json();
        return new StreamClient(queen, queue, answer.get("query_id").asText());
    }

    static Answer register(QueenClient queen, String name, String queue, String hash, boolean isReset) {
        return queen.post("/streams/v1/queries", JsonNodeFactory.instance.objectNode().put("name", name)
                .put("source_queue", queue).put("config_hash", hash).put("reset", isReset).toString());
    }

    /** Returns a client for the same query at another server. */
    StreamClient at(QueenClient other) {
        return new StreamClient(other, queue, queryId);
    }

    String queryId() {
        return queryId;
    }

    String group() {
        return "streams." + queryId;
    }

    /** Pops like the published runners. */
    Answer pop(int batch) {
        return queen.pop(queue, "consumerGroup=" + group(), "partitions=4", "batch=" + batch);
    }

    Answer popPartition(String partition, int batch) {
        return queen.popPartition(queue, partition, "consumerGroup=" + group(), "batch=" + batch);
    }

    /** Returns an empty cycle of a partition. */
    CycleBody cycle(String partitionId) {
        return new CycleBody(queryId, partitionId, group());
    }

    Answer send(CycleBody cycle) {
        return queen.post("/streams/v1/cycle", cycle.toString());
    }

    Answer state(String partitionId) {
        return state(partitionId, JsonNodeFactory.instance.objectNode());
    }

    /** Reads the state of windows that ended until a time. */
    Answer ripe(String partitionId, long until) {
        return state(partitionId, JsonNodeFactory.instance.objectNode().put("ripe_at_or_before", until));
    }

    Answer state(String partitionId, ObjectNode filters) {
        return queen.post("/streams/v1/state/get",
                filters.put("query_id", queryId).put("partition_id", partitionId).toString());
    }

    /** The body of a cycle. */
    static final class CycleBody {
        private final ObjectNode json = JsonNodeFactory.instance.objectNode();

        private CycleBody(String queryId, String partitionId, String group) {
            json.put("query_id", queryId).put("partition_id", partitionId).put("consumer_group", group);
            json.putArray("state_ops");
            json.putArray("push_items");
        }

        CycleBody upsert(String key, JsonNode value) {
            json.withArray("state_ops").addObject().put("type", "upsert").put("key", key).set("value", value);
            return this;
        }

        CycleBody upsert(String key, String value) {
            return upsert(key, Answer.parse(value));
        }

        CycleBody delete(String key) {
            json.withArray("state_ops").addObject().put("type", "delete").put("key", key);
            return this;
        }

        CycleBody push(String queue, String partition, String payload) {
            json.withArray("push_items").addObject().put("queue", queue).put("partition", partition).set("payload",
                    Answer.parse(payload));
            return this;
        }

        CycleBody ack(JsonNode message) {
            return ack(message, "completed");
        }

        CycleBody ack(JsonNode message, String status) {
            json.putObject("ack").put("status", status).put("count", 1)
                    .<ObjectNode>set("transactionId", message.get("transactionId"))
                    .set("leaseId", message.get("leaseId"));
            return this;
        }

        CycleBody keepLease() {
            json.put("release_lease", false);
            return this;
        }

        @Override
        public String toString() {
            return json.toString();
        }
    }
}
