package io.queenmq.client;

import io.queenmq.client.AckResult.Accepted;
import io.queenmq.client.AckResult.DeadLettered;
import io.queenmq.client.AckResult.LeaseLost;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sends the outcomes of deliveries. Idempotent. */
final class Acks {
    private static final String PATH = "/api/v1/ack/batch";
    private static final int REASON_CHARACTERS_MAX = 2_000;

    private Acks() {}

    enum Status {
        COMPLETED("completed"),
        FAILED("failed"),
        RETRY("retry"),
        DEAD("dlq");

        private final String word;

        Status(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /** @param reason null for none */
    record Item(Delivery<?> delivery, Status status, @Nullable String reason) {
        void write(JsonWriter json) {
            json.field("transactionId", delivery.transactionId()).field("partitionId", delivery.partitionId())
                    .field("leaseId", delivery.lease().id()).field("status", status.word())
                    .field("error", shortened(reason));
        }

        private static @Nullable String shortened(@Nullable String reason) {
            return reason == null || reason.length() <= REASON_CHARACTERS_MAX
                    ? reason
                    : reason.substring(0, REASON_CHARACTERS_MAX) + "…";
        }
    }

    /**
     * The result of one item.
     *
     * @param isLeaseReleased true if other consumers can lease the partition now
     */
    record ItemResult(AckResult result, boolean isLeaseReleased) {}

    /**
     * @param items all of one group
     * @param retryFor null for the retry time of the client
     */
    static List<ItemResult> send(Wire wire, List<Item> items, @Nullable Duration retryFor) {
        if (items.isEmpty()) {
            return List.of();
        }
        Delivery<?> first = items.getFirst().delivery();
        JsonWriter body = new JsonWriter().beginObject().field("consumerGroup", first.group()).name("acknowledgments")
                .beginArray();
        for (Item item : items) {
            body.beginObject();
            item.write(body);
            body.endObject();
        }
        Call call = Call.post(PATH, body.endArray().endObject().bytes()).preferring(first.lease().server()).urgent();
        List<JsonNode> responses = (retryFor == null ? wire.send(call) : wire.send(call, retryFor)).json().list();
        List<ItemResult> results = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            results.add(response(items.get(i), i < responses.size() ? responses.get(i) : JsonNode.MISSING));
        }
        return results;
    }

    private static ItemResult response(Item item, JsonNode response) {
        boolean isAccepted = response.get("success").bool();
        boolean isReleased = !isAccepted || response.get("leaseReleased").bool();
        if (isReleased) {
            item.delivery().lease().markLost(item.delivery().partitionId());
        }
        if (!isAccepted) {
            return new ItemResult(new LeaseLost(response.get("error").text("the server did not state a reason")), true);
        }
        item.delivery().settle();
        return new ItemResult(response.get("dlq").bool() ? new DeadLettered() : new Accepted(), isReleased);
    }
}
