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

/**
 * Reads the headers of a pushed message into the form they are stored in: {@code {"name":"value", "name":"value"}}. Behind each
 * comma there is a space, so that a header cannot be mistaken for a field of the line. They are bounded, because they are stored
 * and shown with every message, whatever is done with the payload. Owned by one event loop.
 */
final class HeadersReader {
    static final int HEADERS_MAX = 64;

    /** As stored. The beginning of a line, headers and all, has to fit into what SQL looks at of a large one. */
    static final int BYTES_MAX = 4096;

    private final JsonBuffer buffer = new JsonBuffer();

    /** Reads the value of the field just named; null when there are no headers. */
    byte[] read(JsonParser parser) throws IOException {
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
