package io.queenmq.client;

import io.queenmq.client.PushResult.Duplicate;
import io.queenmq.client.PushResult.Queued;
import io.queenmq.client.PushResult.Rejected;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Endpoints;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.TransactionIds;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends pushes. Every message has a transactionId before it is first sent, so that a repeated request cannot store it
 * twice.
 */
final class Push {
    static final String PARTITION_DEFAULT = "Default";
    private static final String PATH = "/api/v1/push";

    private Push() {}

    /**
     * A message that is ready to be sent, repeatedly if necessary.
     *
     * @param headers its own headers and those of the trace
     */
    record Item(String queue, String partition, String transactionId, boolean isOurId, @Nullable String traceId,
            Map<String, String> headers, byte[] payload) {
        static Item of(String queue, @Nullable String view, Message<?> message, Map<String, String> headers,
                Payloads payloads) {
            String partition = message.partition() == null ? view : message.partition();
            if (view != null && !view.equals(partition)) {
                throw new IllegalArgumentException("the message has the partition '" + partition
                        + "' but was pushed to the partition '" + view + "'");
            }
            String transactionId = message.transactionId();
            return new Item(queue, partition == null ? PARTITION_DEFAULT : partition,
                    transactionId == null ? TransactionIds.next() : transactionId, transactionId == null,
                    message.traceId() == null ? null : message.traceId().toString(), merged(headers, message.headers()),
                    payloads.encode(message.value()));
        }

        private static Map<String, String> merged(Map<String, String> carried, Map<String, String> own) {
            if (carried.isEmpty()) {
                return own;
            }
            Map<String, String> both = new LinkedHashMap<>(carried);
            both.putAll(own);
            return both;
        }

        void write(JsonWriter json) {
            json.beginObject().field("queue", queue).field("partition", partition).field("transactionId", transactionId)
                    .field("traceId", traceId);
            if (!headers.isEmpty()) {
                json.field("headers", headersJson());
            }
            json.field("payload", payload).endObject();
        }

        byte[] headersJson() {
            JsonWriter json = new JsonWriter().beginObject();
            headers.forEach(json::field);
            return json.endObject().bytes();
        }
    }

    /** @param retryFor null for the retry time of the client */
    static List<PushResult> send(Wire wire, List<Item> items, @Nullable Duration retryFor) {
        if (items.isEmpty()) {
            return List.of();
        }
        JsonWriter body = new JsonWriter().beginObject().name("items").beginArray();
        items.forEach(item -> item.write(body));
        Item first = items.getFirst();
        Call call = Call.post(PATH, body.endArray().endObject().bytes())
                .affinity(Endpoints.affinity(first.queue(), first.partition(), null));
        Reply reply = retryFor == null ? wire.send(call) : wire.send(call, retryFor);
        List<JsonNode> responses = reply.json().list();
        if (responses.size() != items.size()) {
            throw new IllegalStateException("the server answered " + responses.size() + " results for " + items.size()
                    + " messages; is " + reply.from() + " a Queen server?");
        }
        List<PushResult> results = new ArrayList<>(items.size());
        for (int i = 0; i < responses.size(); i++) {
            results.add(result(items.get(i), responses.get(i)));
        }
        return results;
    }

    static PushResult result(Item item, JsonNode response) {
        String messageId = response.get("messageId").string();
        String partitionId = response.get("partitionId").string();
        return switch (response.get("status").text("failed")) {
            case "queued" -> new Queued(item.transactionId(), messageId, partitionId);
            case "buffered" -> new Queued(item.transactionId(), messageId, partitionId, true);
            // The client generated this id, so the original is this message, stored by an earlier attempt.
            case "duplicate" -> item.isOurId()
                    ? new Queued(item.transactionId(), messageId, partitionId)
                    : new Duplicate(item.transactionId(), messageId, partitionId);
            default ->
                new Rejected(item.transactionId(), response.get("error").text("the server did not state a reason"));
        };
    }

    static List<PushResult.Stored> requireStored(List<PushResult> results) {
        List<PushResult.Stored> stored = new ArrayList<>(results.size());
        for (PushResult each : results) {
            switch (each) {
                case PushResult.Stored good -> stored.add(good);
                case Rejected bad -> throw new RejectedException(bad, results);
            }
        }
        return stored;
    }
}
