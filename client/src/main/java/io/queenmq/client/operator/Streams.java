package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Stream queries: progress, state, reset, deletion. */
public final class Streams {
    private static final String PATH = "/streams/v1/queries";

    private static final byte[] NO_FIELDS = {'{', '}'};

    private final Wire wire;

    Streams(Wire wire) {
        this.wire = wire;
    }

    /** Lists queries by name. */
    public List<StreamQuery> list() {
        return wire.send(Call.get(PATH)).json().get("queries").list().stream().map(Streams::query).toList();
    }

    /** @throws io.queenmq.client.error.RefusedException if there is no such query */
    public StreamQuery show(String name) {
        return query(wire.send(Call.get(path(name) + "?limit=1")).json());
    }

    /**
     * Lists the partitions that the query has processed, by name, at most 1,000.
     *
     * @throws io.queenmq.client.error.RefusedException if there is no such query
     */
    public List<StreamPartition> partitions(String name) {
        return wire.send(Call.get(path(name) + "?limit=1000")).json().get("partitions").list().stream()
                .map(each -> new StreamPartition(each.get("partitionId").string(), each.get("partition").string(),
                        each.get("stateRows").number(), each.get("stateBytes").number(), each.get("cycles").number(),
                        each.get("flushes").number(), each.get("messages").number(), each.get("emitted").number(),
                        each.get("lastCycleAt").instant(), each.get("unread").number(),
                        each.get("leasedUntil").instant(), each.get("idleExpiries").number(),
                        each.get("idleSince").instant()))
                .toList();
    }

    /**
     * Lists the state of the query in one partition, by key, at most 1,000 keys.
     *
     * @param prefix only keys with this prefix; empty for all
     * @param after the key after which the list begins; empty for the first
     * @throws io.queenmq.client.error.RefusedException if there is no such query, or if it has not processed that
     *     partition
     */
    public List<StreamState> state(String name, String partition, String prefix, String after) {
        String path = path(name) + "/partitions/" + Names.encode(partition) + "/state?limit=1000&prefix="
                + Names.encode(prefix) + "&after=" + Names.encode(after);
        return wire.send(Call.get(path)).json().get("rows").list().stream()
                .map(each -> new StreamState(each.get("key").string(),
                        each.get("value").isNull() ? null : each.get("value").toString(),
                        each.get("isEncrypted").bool(),
                        each.get("windowEnd").isNull() ? null : Instant.ofEpochMilli(each.get("windowEnd").number()),
                        each.get("bytes").number(), each.get("updatedAt").moment()))
                .toList();
    }

    /**
     * Deletes the state of a query. The cursors of its group stay.
     *
     * @return the number of deleted keys
     */
    public long reset(String name) {
        return wire.send(Call.post(path(name) + "/reset", NO_FIELDS)).json().get("stateRows").number();
    }

    /**
     * Deletes a query with its state and its group.
     *
     * @return the number of deleted keys
     */
    public long delete(String name) {
        return wire.send(Call.delete(path(name))).json().get("stateRows").number();
    }

    private static StreamQuery query(JsonNode query) {
        return new StreamQuery(query.get("id").string(), query.get("name").string(), query.get("sourceQueue").string(),
                query.get("sinkQueue").text(), query.get("configHash").string(), query.get("consumerGroup").string(),
                query.get("partitionCount").number(), query.get("stateRows").number(), query.get("stateBytes").number(),
                query.get("cycles").number(), query.get("flushes").number(), query.get("messages").number(),
                query.get("emitted").number(), query.get("lastCycleAt").instant(), query.get("lag").number(),
                Duration.ofSeconds(query.get("lagSeconds").number()));
    }

    private static String path(String name) {
        return PATH + "/" + Names.encode(name);
    }
}
