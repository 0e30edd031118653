package io.queenmq.client;

import static java.util.Objects.requireNonNull;

/**
 * A payload as JSON text, for applications that read and write JSON themselves.
 *
 * @param text one JSON value
 */
public record Json(String text) {
    public Json {
        requireNonNull(text, "text");
    }

    /** Returns the payload of this JSON text. It is validated when it is pushed. */
    public static Json of(String text) {
        return new Json(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
