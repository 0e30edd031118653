package io.queenmq.server.http;

import io.queenmq.server.engine.Engine;
import io.queenmq.server.push.MessageIds;
import io.queenmq.server.push.PushCommand;
import io.queenmq.server.push.PushItem;
import io.queenmq.server.push.PushOutcome;
import java.util.List;
import java.util.UUID;

/** Takes messages in. */
final class PushRoute implements BodyRoute {
    static final String PATH = "/api/v1/push";

    private final Engine engine;
    private final PushParser parser;

    PushRoute(Engine engine, MessageIds ids) {
        this.engine = engine;
        this.parser = new PushParser(ids);
    }

    @Override
    public void handle(Exchange exchange, byte[] body) {
        List<PushItem> items = parser.parse(body, exchange.actor());
        if (items.isEmpty()) {
            exchange.send(201, exchange.json().raw("[]"));
            return;
        }
        exchange.about(items.size());
        engine.push(new PushCommand(items, exchange.reply(outcomes -> answer(exchange, items, outcomes))));
    }

    private static void answer(Exchange exchange, List<PushItem> items, List<PushOutcome> outcomes) {
        JsonBuffer json = exchange.json().raw("[");
        for (int i = 0; i < items.size(); i++) {
            if (i > 0) {
                json.raw(",");
            }
            write(json, i, items.get(i), outcomes.get(i));
        }
        exchange.send(201, json.raw("]"));
    }

    private static void write(JsonBuffer json, int index, PushItem item, PushOutcome outcome) {
        json.raw("{\"index\":").number(index);
        switch (outcome) {
            case PushOutcome.Queued(UUID partitionId) -> {
                json.raw(",\"status\":\"queued\"");
                ids(json, item.messageId(), partitionId);
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
        // Clients read either of the two spellings, so every id goes out under both.
        int start = json.raw(",\"transaction_id\":").length();
        int end = json.string(item.transactionId()).length();
        json.raw(",\"transactionId\":").again(start, end);
        json.raw(",\"trace_id\":").stringOrNull(item.traceId()).raw(",\"traceId\":").stringOrNull(item.traceId());
        json.raw(",\"queueName\":").string(item.queue()).raw("}");
    }

    private static void ids(JsonBuffer json, UUID messageId, UUID partitionId) {
        int start = json.raw(",\"message_id\":").length();
        int end = json.uuid(messageId).length();
        json.raw(",\"messageId\":").again(start, end);
        start = json.raw(",\"partition_id\":").length();
        end = json.uuid(partitionId).length();
        json.raw(",\"partitionId\":").again(start, end);
    }
}
