package io.queenmq.server.http.message;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.server.http.json.JsonBuffer;
import java.util.List;
import java.util.UUID;

/** Writes the response of a push. */
public final class PushResult {
    private PushResult() {}

    /** Appends one element per message, in the order of the request. */
    public static JsonBuffer writeAll(JsonBuffer json, List<PushItem> items, List<PushOutcome> outcomes) {
        json.raw("[");
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                json.raw(",");
            }
            write(json, i, items.get(i), outcomes.get(i));
        }
        return json.raw("]");
    }

    private static void write(JsonBuffer json, int index, PushItem item, PushOutcome outcome) {
        json.raw("{\"index\":").number(index);
        switch (outcome) {
            case PushOutcome.Queued(UUID partitionId, long offset) -> {
                json.raw(",\"status\":\"queued\"");
                ids(json, item.messageId(), partitionId);
                json.raw(",\"offset\":").number(offset);
            }
            case PushOutcome.Buffered(UUID partitionId) -> {
                json.raw(",\"status\":\"buffered\",\"queue\":").string(item.queue());
                json.raw(",\"partition\":").string(item.partition());
                ids(json, item.messageId(), partitionId);
            }
            case PushOutcome.Duplicate(UUID partitionId, UUID originalMessageId) -> {
                json.raw(",\"status\":\"duplicate\"");
                ids(json, originalMessageId, partitionId);
            }
            case PushOutcome.Failed(String error) -> json.raw(",\"status\":\"failed\",\"error\":").string(error);
        }
        // Clients read either of two spellings, so every id has both fields.
        int start = json.raw(",\"transaction_id\":").length();
        int end = json.string(item.transactionId()).length();
        json.raw(",\"transactionId\":").again(start, end);
        json.raw(",\"trace_id\":").stringOrNull(item.traceId()).raw(",\"traceId\":").stringOrNull(item.traceId());
        json.raw(",\"queueName\":").string(item.queue()).raw("}");
    }

    /** A duplicate has no ids if the original message was not looked up. */
    private static void ids(JsonBuffer json, UUID messageId, UUID partitionId) {
        if (messageId == null) {
            return;
        }
        int start = json.raw(",\"message_id\":").length();
        int end = json.uuid(messageId).length();
        json.raw(",\"messageId\":").again(start, end);
        start = json.raw(",\"partition_id\":").length();
        end = json.uuid(partitionId).length();
        json.raw(",\"partitionId\":").again(start, end);
    }
}
