package io.queenmq.cli.output;

import org.jspecify.annotations.Nullable;
/**
 * JSON that is printed unchanged.
 *
 * @param json one JSON value
 */
public record Payload(String json) {
    /** Returns null for null. */
    public static @Nullable Payload of(@Nullable String json) {
        return json == null ? null : new Payload(json);
    }
}
