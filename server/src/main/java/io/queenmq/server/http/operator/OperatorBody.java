package io.queenmq.server.http.operator;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.server.http.json.JsonInput;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the small bodies of operator requests. */
final class OperatorBody {
    private OperatorBody() {}

    /**
     * Returns the fields of a body. Empty for a request without a body, and for an empty array, which PHP sends for an empty
     * object.
     */
    static Map<String, Object> parse(byte[] body) {
        if (body.length == 0 || new String(body, StandardCharsets.UTF_8).strip().equals("[]")) {
            return Map.of();
        }
        return JsonInput.object(body, parser -> {
            Map<String, Object> fields = new HashMap<>();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                fields.put(name, value(parser));
            }
            return fields;
        });
    }

    /** Returns the JSON of one field unchanged; null if the field is absent. */
    static @Nullable String json(byte[] body, String field) {
        return body.length == 0 ? null : JsonInput.object(body, parser -> {
            String found = null;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                int start = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
                if (parser.currentToken().isStructStart()) {
                    parser.skipChildren();
                } else {
                    parser.finishToken();
                }
                if (name.equals(field)) {
                    int end = Math.toIntExact(parser.currentLocation().getByteOffset());
                    found = new String(body, start, end - start, StandardCharsets.UTF_8);
                }
            }
            return found;
        });
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> whole(parser);
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> structure(parser);
        };
    }

    /** Two return statements, because a conditional expression of long and double is always a double. */
    private static Object whole(JsonParser parser) throws IOException {
        if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            return parser.getDoubleValue();
        }
        return parser.getLongValue();
    }

    private static Object structure(JsonParser parser) throws IOException {
        String json = copy(parser);
        return json.startsWith("[") ? textsOr(json) : json;
    }

    /** Returns a list of texts, or the array as JSON if it contains other values. */
    private static Object textsOr(String json) {
        return JsonInput.document(json.getBytes(StandardCharsets.UTF_8), parser -> {
            List<String> texts = new ArrayList<>();
            boolean isTexts = true;
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                isTexts &= parser.currentToken() == JsonToken.VALUE_STRING;
                if (isTexts) {
                    texts.add(parser.getText());
                }
                parser.skipChildren();
            }
            return isTexts ? texts : json;
        });
    }

    private static String copy(JsonParser parser) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JsonInput.generator(text)) {
            generator.copyCurrentStructure(parser);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // impossible: both ends are in memory
        }
        return text.toString();
    }
}
