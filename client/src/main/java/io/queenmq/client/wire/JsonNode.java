package io.queenmq.client.wire;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value that refers to the bytes of its document. Only requested fields are read, so payloads are not parsed. A
 * missing field reads as {@link #MISSING}, which behaves like null, because servers may omit fields.
 */
public final class JsonNode {
    public static final JsonNode MISSING = new JsonNode("null".getBytes(StandardCharsets.US_ASCII), 0, 4);

    private final byte[] bytes;
    private final int start;
    private final int end;
    private @Nullable Map<String, JsonNode> fields;

    private JsonNode(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.start = start;
        this.end = end;
    }

    /** @throws io.queenmq.client.error.CodecException if the bytes are not exactly one JSON value */
    public static JsonNode parse(byte[] bytes) {
        JsonScanner scanner = new JsonScanner(bytes, 0, bytes.length);
        scanner.peek();
        int start = scanner.at();
        scanner.skipValue();
        int end = scanner.at();
        scanner.requireEnd();
        return new JsonNode(bytes, start, end);
    }

    public boolean isNull() {
        return bytes[start] == 'n';
    }

    public boolean isString() {
        return bytes[start] == '"';
    }

    /** Returns the field of this object; {@link #MISSING} if there is none. */
    public JsonNode get(String name) {
        return fields().getOrDefault(name, MISSING);
    }

    /** Returns the fields of this object in their order; empty for other values. */
    public Map<String, JsonNode> fields() {
        Map<String, JsonNode> read = fields;
        if (read == null) {
            read = bytes[start] == '{' ? readFields() : Map.of();
            fields = read;
        }
        return read;
    }

    /** Returns the fields of this object as texts; empty for other values. */
    public Map<String, String> strings() {
        Map<String, String> texts = new LinkedHashMap<>();
        fields().forEach((name, value) -> texts.put(name, value.string()));
        return Collections.unmodifiableMap(texts);
    }

    /** Returns the elements of this array; empty for other values. */
    public List<JsonNode> list() {
        List<JsonNode> elements = new ArrayList<>();
        JsonScanner scanner = new JsonScanner(bytes, start, end);
        if (!scanner.tryPass('[') || scanner.tryPass(']')) {
            return elements;
        }
        do {
            elements.add(next(scanner));
        } while (scanner.tryPass(','));
        return elements;
    }

    /** Returns the text of a string, the JSON of other values, and null for null. */
    public @Nullable String text() {
        if (isNull()) {
            return null;
        }
        return isString() ? unescaped(start, end) : new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    /** Returns the text; empty for null. */
    public String string() {
        return text("");
    }

    public String text(String ifNull) {
        String text = text();
        return text == null ? ifNull : text;
    }

    /** Returns the number; 0 for other values. */
    public long number() {
        try {
            return isNull() ? 0 : new BigDecimal(string()).longValue();
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public boolean bool() {
        return bytes[start] == 't';
    }

    /** Returns the time; null for other values. */
    public @Nullable Instant instant() {
        try {
            return isString() ? OffsetDateTime.parse(string()).toInstant() : null;
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** Returns the time; 1970-01-01 for other values. */
    public Instant moment() {
        Instant moment = instant();
        return moment == null ? Instant.EPOCH : moment;
    }

    /** Returns the JSON. */
    public byte[] raw() {
        return Arrays.copyOfRange(bytes, start, end);
    }

    private Map<String, JsonNode> readFields() {
        Map<String, JsonNode> found = new LinkedHashMap<>();
        JsonScanner scanner = new JsonScanner(bytes, start, end);
        scanner.pass('{');
        if (scanner.tryPass('}')) {
            return found;
        }
        do {
            scanner.peek();
            int nameStart = scanner.at();
            scanner.skipString();
            String name = unescaped(nameStart, scanner.at());
            scanner.pass(':');
            found.put(name, next(scanner));
        } while (scanner.tryPass(','));
        return found;
    }

    private JsonNode next(JsonScanner scanner) {
        scanner.peek();
        int from = scanner.at();
        scanner.skipValue();
        return new JsonNode(bytes, from, scanner.at());
    }

    private String unescaped(int from, int to) {
        String text = new String(bytes, from + 1, to - from - 2, StandardCharsets.UTF_8);
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each != '\\') {
                plain.append(each);
                continue;
            }
            char kind = text.charAt(++i);
            switch (kind) {
                case 'b' -> plain.append('\b');
                case 'f' -> plain.append('\f');
                case 'n' -> plain.append('\n');
                case 'r' -> plain.append('\r');
                case 't' -> plain.append('\t');
                case 'u' -> {
                    plain.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
                    i += 4;
                }
                default -> plain.append(kind);
            }
        }
        return plain.toString();
    }

    @Override
    public String toString() {
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
