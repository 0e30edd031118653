package io.queenmq.client.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes JSON. Adds commas between fields and elements. Not thread-safe. */
public final class JsonWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    private boolean isFirst = true;

    public JsonWriter beginObject() {
        return begin('{');
    }

    public JsonWriter endObject() {
        return end('}');
    }

    public JsonWriter beginArray() {
        return begin('[');
    }

    public JsonWriter endArray() {
        return end(']');
    }

    /** Writes the name of a field. Its value must follow. */
    public JsonWriter name(String name) {
        comma();
        quote(name);
        bytes.write(':');
        isFirst = true;
        return this;
    }

    public JsonWriter string(String text) {
        comma();
        quote(text);
        isFirst = false;
        return this;
    }

    /** Writes a JSON value. */
    public JsonWriter raw(byte[] json) {
        comma();
        bytes.writeBytes(json);
        isFirst = false;
        return this;
    }

    public JsonWriter raw(String json) {
        return raw(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a field; omits it if the value is null. */
    public JsonWriter field(String name, @Nullable Object value) {
        return switch (value) {
            case null -> this;
            case byte[] json -> name(name).raw(json);
            case Number number -> name(name).raw(number.toString());
            case Boolean flag -> name(name).raw(flag.toString());
            case Instant moment -> name(name).string(moment.toString());
            default -> name(name).string(value.toString());
        };
    }

    public byte[] bytes() {
        return bytes.toByteArray();
    }

    /** Returns a string as a JSON value. */
    public static byte[] stringOf(String text) {
        return new JsonWriter().string(text).bytes();
    }

    private JsonWriter begin(char bracket) {
        comma();
        bytes.write(bracket);
        isFirst = true;
        return this;
    }

    private JsonWriter end(char bracket) {
        bytes.write(bracket);
        isFirst = false;
        return this;
    }

    private void comma() {
        if (!isFirst) {
            bytes.write(',');
        }
        isFirst = true;
    }

    private void quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isHighSurrogate(each) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                quoted.append(each).append(text.charAt(++i));
            } else if (each < 0x20 || Character.isSurrogate(each)) {
                // A surrogate without its pair has no UTF-8 encoding, but a JSON escape.
                quoted.append(String.format("\\u%04x", (int) each));
            } else {
                if (each == '"' || each == '\\') {
                    quoted.append('\\');
                }
                quoted.append(each);
            }
        }
        bytes.writeBytes(quoted.append('"').toString().getBytes(StandardCharsets.UTF_8));
    }
}
