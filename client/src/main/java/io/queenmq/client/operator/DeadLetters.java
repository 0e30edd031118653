package io.queenmq.client.operator;

import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.Wire;

/** What groups have given up on. */
public final class DeadLetters {
    private final Wire wire;

    DeadLetters(Wire wire) {
        this.wire = wire;
    }

    /** The newest failures first. */
    public Page<DeadLetter> list(MessageFilter filter) {
        JsonNode answer = wire.send(Call.get("/api/v1/dlq" + filter.query())).json();
        return new Page<>(answer.get("messages").list().stream().map(each -> new DeadLetter(each.get("id").text(),
                each.get("transactionId").text(), each.get("partitionId").text(), each.get("queue").text(),
                each.get("partition").text(), each.get("consumerGroup").text(), each.get("errorMessage").text(),
                (int) each.get("retryCount").number(), each.get("data").toString(), each.get("createdAt").instant(),
                each.get("failedAt").instant())).toList(), answer.get("total").number());
    }
}
