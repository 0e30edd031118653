package io.queenmq.server.http.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.engine.command.StateOp;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of one change of state while they are read. */
final class StateOpDraft {
    /** An index entry has room for so many. */
    static final int KEY_BYTES_MAX = 2_000;
    static final int VALUE_BYTES_MAX = 1 << 20;

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final String WINDOW_END = "windowEnd";

    private String type;
    private String key;
    private byte[] value = NULL;
    private Double windowEnd;

    /** Reads the change whose opening brace was just read. */
    void read(JsonParser parser, byte[] body) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case "type" -> type = JsonInput.stringOrNull(parser, name);
                case "key" -> key = JsonInput.stringOrNull(parser, name);
                case "value" -> readValue(parser, body);
                default -> JsonInput.skip(parser);
            }
        }
        if (key == null || key.isEmpty()) {
            throw new BadRequest("key must be a string that is not empty");
        }
        if (!"upsert".equals(type) && !"delete".equals(type)) {
            throw new BadRequest("type must be upsert or delete");
        }
    }

    /** Takes the value as it was sent, and looks for one number in it. */
    private void readValue(JsonParser parser, byte[] body) throws IOException {
        JsonToken token = parser.nextToken();
        int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
        if (token == JsonToken.START_OBJECT) {
            windowEnd = null;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                JsonToken field = parser.nextToken();
                if (name.equals(WINDOW_END)) {
                    windowEnd = field.isNumeric() ? parser.getDoubleValue() : null;
                }
                parser.skipChildren();
            }
        } else if (token == JsonToken.START_ARRAY) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        value = Arrays.copyOfRange(body, start, Math.toIntExact(parser.currentLocation().getByteOffset()));
    }

    /** Why it cannot be stored; null when it can. */
    String problem() {
        String unstorable = Names.unstorable(key);
        if (unstorable != null) {
            return "key " + unstorable;
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX) {
            return "key must not be longer than " + KEY_BYTES_MAX + " bytes";
        }
        return value.length > VALUE_BYTES_MAX && !isDelete()
                ? "value must not be longer than " + VALUE_BYTES_MAX + " bytes, and has " + value.length
                : null;
    }

    StateOp op() {
        return isDelete() ? new StateOp(key, null, null) : new StateOp(key, value, windowEnd);
    }

    private boolean isDelete() {
        return type.equals("delete");
    }
}
