package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import io.queenmq.engine.command.PushItem;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.util.List;

/**
 * The fields of one operation of a transaction while they are read. Its type may come last, so the fields of all types
 * are taken.
 */
final class OperationDraft {
    private final PushItemDraft push;
    private final AckDraft ack = new AckDraft();
    private final byte[] body;
    private String type;
    private List<PushItem> items;

    OperationDraft(PushItemDraft push, byte[] body) {
        this.push = push;
        this.body = body;
    }

    /** Reads the operation whose opening brace was just read. */
    void read(JsonParser parser) throws IOException {
        push.clear();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case "type" -> type = JsonInput.stringOrNull(parser, name);
                case "items" -> items = PushParser.items(parser, name, push, body);
                case "data" -> push.takePayload(parser, body);
                case "transactionId" -> takeTransactionId(JsonInput.string(parser, name));
                default -> {
                    if (!push.take(name, parser, body) && !ack.take(name, parser)) {
                        JsonInput.skip(parser);
                    }
                }
            }
        }
    }

    private void takeTransactionId(String transactionId) {
        push.setTransactionId(transactionId);
        ack.setTransactionId(transactionId);
    }

    /** Null when there is none. */
    String type() {
        return type;
    }

    /** The messages of a push: those listed, or else the one the operation itself is. */
    List<PushItem> pushItems() {
        return items == null ? List.of(push.finish(body)) : items;
    }

    AckDraft ack() {
        return ack;
    }
}
