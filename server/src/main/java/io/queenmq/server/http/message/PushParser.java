package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.push.MessageIds;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the body of a push in one pass. Owned by one event loop. */
public final class PushParser {
    private final PushItemDraft draft;

    PushParser(MessageIds ids) {
        this.draft = new PushItemDraft(ids, "null");
    }

    /** @param producerSub subject of the producer; null if it has none */
    List<PushItem> parse(byte[] body, @Nullable String producerSub) {
        draft.setProducer(producerSub);
        return JsonInput.object(body, parser -> {
            List<PushItem> items = null;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                if (name.equals("items")) {
                    items = items(parser, name, draft, body);
                } else {
                    JsonInput.skip(parser);
                }
            }
            if (items == null) {
                throw new BadRequest("items must be an array");
            }
            return items;
        });
    }

    /** Reads the value of the current field. */
    public static List<PushItem> items(JsonParser parser, String field, PushItemDraft draft, byte[] body)
            throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NULL && draft.acceptsNulls()) {
            return List.of();
        }
        if (token != JsonToken.START_ARRAY) {
            throw new BadRequest(field + " must be an array");
        }
        List<PushItem> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw new BadRequest(field + "[" + items.size() + "] must be an object");
            }
            try {
                items.add(draft.read(parser, body));
            } catch (BadRequest e) {
                throw e.within(field + "[" + items.size() + "]");
            }
        }
        return items;
    }
}
