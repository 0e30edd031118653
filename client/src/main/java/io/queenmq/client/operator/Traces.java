package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Call.Repeat;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Trace events: steps of messages in applications. */
public final class Traces {
    private static final String PATH = "/api/v1/traces";

    private final Wire wire;

    Traces(Wire wire) {
        this.wire = wire;
    }

    /**
     * Records a trace event about a message.
     *
     * @param group null for consumers without a group
     * @param eventType such as {@code info}, {@code error}, {@code step}
     * @param data one JSON value in UTF-8
     * @param names names under which the event can be found
     * @return the id of the event
     */
    public String record(String partitionId, String transactionId, @Nullable String group, String eventType,
            byte[] data, List<String> names) {
        JsonWriter body = new JsonWriter().beginObject().field("transactionId", transactionId)
                .field("partitionId", partitionId).field("consumerGroup", group).field("eventType", eventType)
                .name("traceNames").beginArray();
        names.forEach(body::string);
        body.endArray().field("data", JsonNode.parse(data).raw());
        return wire.send(Call.post(PATH, body.endObject().bytes()).repeat(Repeat.NEVER)).json().get("traceId").string();
    }

    /** Lists the trace events of one message, oldest first. */
    public List<TraceEvent> of(String partitionId, String transactionId) {
        String path = PATH + "/" + Names.encode(partitionId) + "/" + Names.encode(transactionId);
        return wire.send(Call.get(path)).json().get("traces").list().stream()
                .map(each -> event(each, partitionId, transactionId)).toList();
    }

    /** Lists the trace events with this name. */
    public Page<TraceEvent> named(String name, int limit, int offset) {
        String path = PATH + "/by-name/" + Names.encode(name) + "?limit=" + limit + "&offset=" + offset;
        JsonNode response = wire.send(Call.get(path)).json();
        return new Page<>(response.get("traces").list().stream()
                .map(each -> event(each, each.get("partition_id").string(), each.get("transaction_id").string()))
                .toList(), response.get("total").number());
    }

    public Page<TraceName> names(int limit, int offset) {
        JsonNode response = wire.send(Call.get(PATH + "/names?limit=" + limit + "&offset=" + offset)).json();
        return new Page<>(
                response.get("trace_names").list().stream()
                        .map(each -> new TraceName(each.get("trace_name").string(), each.get("trace_count").number(),
                                each.get("message_count").number(), each.get("last_seen").moment()))
                        .toList(),
                response.get("total").number());
    }

    private static TraceEvent event(JsonNode event, String partitionId, String transactionId) {
        return new TraceEvent(event.get("id").string(), transactionId, partitionId, event.get("event_type").string(),
                event.get("data").toString(), event.get("consumer_group").text(), event.get("created_at").moment(),
                event.get("trace_names").list().stream().map(JsonNode::string).toList());
    }
}
