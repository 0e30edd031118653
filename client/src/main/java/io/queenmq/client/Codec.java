package io.queenmq.client;

import java.lang.reflect.Type;

/**
 * Converts payloads to JSON and back. Found by {@link java.util.ServiceLoader} or set in the builder of {@link Queen}.
 * Must be thread-safe. Not called for {@code String}, {@code byte[]} and {@link Json}, which the client converts
 * itself.
 */
public interface Codec {
    /** @return one JSON value in UTF-8 */
    byte[] encode(Object value);

    /** @param json one JSON value in UTF-8 */
    Object decode(byte[] json, Type type);
}
