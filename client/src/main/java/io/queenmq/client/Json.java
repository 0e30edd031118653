package io.queenmq.client;

import static java.util.Objects.requireNonNull;

/**
 * A payload as the JSON text it is, for those who read and write it themselves.
 *
 * @param text one JSON value
 */
public record Json(String text) {
    public Json {
        requireNonNull(text, "text");
    }

    @Override
    public String toString() {
        return text;
    }
}
