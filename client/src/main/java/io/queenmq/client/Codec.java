package io.queenmq.client;

import java.lang.reflect.Type;

/**
 * Turns payloads into JSON and back. Found by {@link java.util.ServiceLoader}, or given to the builder of {@link Queen}.
 * Safe from any thread. {@code String}, {@code byte[]} and {@link Json} never come here: the client knows them.
 */
public interface Codec {
    /** @return one JSON value in UTF-8 */
    byte[] encode(Object value);

    /** @param json one JSON value in UTF-8 */
    Object decode(byte[] json, Type type);
}
