package io.queenmq.server.http.message;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.queenmq.server.http.json.BadRequest;
import io.queenmq.server.http.json.JsonBuffer;
import io.queenmq.server.http.json.JsonInput;
import io.queenmq.server.http.json.Names;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers of a pushed message and converts them to the stored form: {@code {"name":"value", "name":"value"}}. A
 * space follows each comma, so that a header cannot be mistaken for a field of the line. Number and size are limited, because
 * headers are stored and shown with every message. Owned by one event loop.
 */
final class HeadersReader {
    static final int HEADERS_MAX = 64;

    /** Limit of the stored form. SQL reads only the beginning of a large line, which must include all headers. */
    static final int BYTES_MAX = 4096;

    private final JsonBuffer buffer = new JsonBuffer();

    /** Reads the value of the current field. Returns null if there are no headers. */
    byte @Nullable [] read(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token != JsonToken.START_OBJECT) {
            throw new BadRequest("headers must be an object");
        }
        Set<String> names = new HashSet<>();
        buffer.clear().raw("{");
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            Names.requireName(name, "headers: the name of a header");
            if (!names.add(name)) {
                throw new BadRequest("headers must not have '" + name + "' twice");
            }
            if (names.size() > HEADERS_MAX) {
                throw new BadRequest("headers must have at most " + HEADERS_MAX + " names");
            }
            buffer.raw(names.size() == 1 ? "" : ", ").string(name).raw(":").string(value(parser, name));
            if (buffer.length() >= BYTES_MAX) {
                throw new BadRequest("headers must not take more than " + BYTES_MAX + " bytes");
            }
        }
        return names.isEmpty() ? null : buffer.raw("}").copy();
    }

    private static String value(JsonParser parser, String name) throws IOException {
        String value = JsonInput.string(parser, "headers." + name);
        String problem = Names.unstorable(value);
        if (problem != null) {
            throw new BadRequest("headers." + name + " " + problem);
        }
        return value;
    }
}
