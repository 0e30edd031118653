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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the fields of one state change during parsing. */
final class StateOpDraft {
    /** Limit of a PostgreSQL index entry. */
    static final int KEY_BYTES_MAX = 2_000;
    static final int VALUE_BYTES_MAX = 1 << 20;

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final String WINDOW_END = "windowEnd";

    private String type = "";
    private String key = "";
    private byte[] value = NULL;
    private @Nullable Double windowEnd;

    /** Reads a state change. The parser must be at its opening brace. */
    void read(JsonParser parser, byte[] body) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            switch (name) {
                case "type" -> type = Objects.requireNonNullElse(JsonInput.stringOrNull(parser, name), "");
                case "key" -> key = Objects.requireNonNullElse(JsonInput.stringOrNull(parser, name), "");
                case "value" -> readValue(parser, body);
                default -> JsonInput.skip(parser);
            }
        }
        if (key.isEmpty()) {
            throw new BadRequest("key must be a string that is not empty");
        }
        if (!type.equals("upsert") && !type.equals("delete")) {
            throw new BadRequest("type must be upsert or delete");
        }
    }

    /** Keeps the value unchanged and extracts the number {@code windowEnd}. */
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

    /** Returns why the change cannot be stored, or null. */
    @Nullable
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
