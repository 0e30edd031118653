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

/** The request that says what became of deliveries. Saying it twice is saying it once. */
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
     * What was answered about one item.
     *
     * @param isLeaseReleased whether the partition is free for others now
     */
    record Answer(AckResult result, boolean isLeaseReleased) {}

    /**
     * @param items all of one group
     * @param retryFor null for the client's usual patience
     */
    static List<Answer> send(Wire wire, List<Item> items, @Nullable Duration retryFor) {
        if (items.isEmpty()) {
            return List.of();
        }
        Delivery<?> first = items.getFirst().delivery();
        JsonWriter body = new JsonWriter().beginObject().field("consumerGroup", first.group())
                .name("acknowledgments").beginArray();
        for (Item item : items) {
            body.beginObject();
            item.write(body);
            body.endObject();
        }
        Call call = Call.post(PATH, body.endArray().endObject().bytes()).preferring(first.lease().giver())
                .urgent();
        List<JsonNode> answers = (retryFor == null ? wire.send(call) : wire.send(call, retryFor)).json().list();
        List<Answer> results = new ArrayList<>(items.size());
        for (int i = 0; i < items.size(); i++) {
            results.add(answer(items.get(i), i < answers.size() ? answers.get(i) : JsonNode.MISSING));
        }
        return results;
    }

    private static Answer answer(Item item, JsonNode answer) {
        boolean isAccepted = answer.get("success").bool();
        boolean isReleased = !isAccepted || answer.get("leaseReleased").bool();
        if (isReleased) {
            item.delivery().lease().lose(item.delivery().partitionId());
        }
        if (!isAccepted) {
            return new Answer(new LeaseLost(answer.get("error").text("the server gave no reason")), true);
        }
        item.delivery().settle();
        return new Answer(answer.get("dlq").bool() ? new DeadLettered() : new Accepted(), isReleased);
    }
}
