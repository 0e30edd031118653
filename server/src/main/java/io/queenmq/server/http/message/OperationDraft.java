package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import io.queenmq.engine.command.PushItem;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the fields of one operation of a transaction during parsing. The type may be the last field, so the fields of all
 * types are collected.
 */
final class OperationDraft {
    private final PushItemDraft push;
    private final AckDraft ack = new AckDraft();
    private final byte[] body;
    private @Nullable String type;
    private @Nullable List<PushItem> items;

    OperationDraft(PushItemDraft push, byte[] body) {
        this.push = push;
        this.body = body;
    }

    /** Reads an operation. The parser must be at its opening brace. */
    void read(JsonParser parser) throws IOException {
        push.clear();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case "type" -> type = JsonInput.stringOrNull(parser, name);
                case "items" -> items = PushParser.items(parser, name, push, body);
                case "data" -> push.readPayload(parser, body);
                case "transactionId" -> setTransactionId(JsonInput.string(parser, name));
                default -> {
                    if (!push.readField(name, parser, body) && !ack.readField(name, parser)) {
                        JsonInput.skip(parser);
                    }
                }
            }
        }
    }

    private void setTransactionId(String transactionId) {
        push.setTransactionId(transactionId);
        ack.setTransactionId(transactionId);
    }

    /** Returns null if the operation has no type. */
    @Nullable
    String type() {
        return type;
    }

    /** Returns the messages of a push: the listed ones, or the one that the fields of the operation describe. */
    List<PushItem> pushItems() {
        return items == null ? List.of(push.finish(body)) : items;
    }

    AckDraft ack() {
        return ack;
    }
}
