package io.queenmq.client;

import io.queenmq.client.error.CodecException;
import io.queenmq.client.error.QueenException;
import io.queenmq.client.wire.JsonNode;
import io.queenmq.client.wire.JsonWriter;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Converts payloads to JSON and back: simple types directly, all others by the codec. */
final class Payloads {
    /** Null if there is none; then only the simple types work. */
    private final @Nullable Codec codec;

    Payloads(@Nullable Codec codec) {
        this.codec = codec;
    }

    /** Uses the codec on the class or module path, if there is one. */
    static Payloads discovered() {
        Iterator<Codec> found = ServiceLoader.load(Codec.class, Codec.class.getClassLoader()).iterator();
        if (!found.hasNext()) {
            return new Payloads(null);
        }
        Codec codec = found.next();
        if (found.hasNext()) {
            throw new ServiceConfigurationError("there are several codecs: "
                    + List.of(codec.getClass().getName(), found.next().getClass().getName())
                    + "; choose one with Queen.builder().codec(…)");
        }
        return new Payloads(codec);
    }

    byte[] encode(@Nullable Object value) {
        byte[] json = switch (value) {
            case null -> "null".getBytes(StandardCharsets.US_ASCII);
            case byte[] bytes -> bytes.clone();
            case Json raw -> raw.text().getBytes(StandardCharsets.UTF_8);
            case String text -> JsonWriter.stringOf(text);
            default -> encodeByCodec(value);
        };
        // The JSON becomes part of a larger document. Reject invalid JSON, which could close that document.
        JsonNode.parse(json);
        return json;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the type is the one the view was made with; a JSON null is null whatever it is
    <T> T decode(byte[] json, Type type) {
        if (type == byte[].class) {
            return (T) json.clone();
        }
        if (type == Json.class) {
            return (T) new Json(new String(json, StandardCharsets.UTF_8));
        }
        if (type == String.class) {
            return (T) text(JsonNode.parse(json));
        }
        return (T) decodeByCodec(json, type);
    }

    /** @throws CodecException if payloads of this type cannot be read because there is no codec */
    void requireReadable(Type type) {
        if (type != byte[].class && type != Json.class && type != String.class) {
            requireCodec(type);
        }
    }

    private static @Nullable String text(JsonNode node) {
        if (!node.isString() && !node.isNull()) {
            throw new CodecException("the payload is not a JSON string; read it as Json, byte[] or your own type",
                    null);
        }
        return node.text();
    }

    private byte[] encodeByCodec(Object value) {
        try {
            return requireCodec(value.getClass()).encode(value);
        } catch (QueenException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CodecException("cannot write a " + value.getClass().getName() + " as JSON: " + e.getMessage(), e);
        }
    }

    private Object decodeByCodec(byte[] json, Type type) {
        try {
            return requireCodec(type).decode(json, type);
        } catch (QueenException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CodecException("cannot read a " + type.getTypeName() + " from JSON: " + e.getMessage(), e);
        }
    }

    private Codec requireCodec(Type type) {
        if (codec == null) {
            throw new CodecException(
                    "there is no codec for " + type.getTypeName()
                            + ": add queen-client-jackson3 or queen-client-jackson, or use " + "String, byte[] or Json",
                    null);
        }
        return codec;
    }
}
