package io.queenmq.cli.output;

/**
 * JSON that is shown as it is, number by number and blank by blank.
 *
 * @param json one JSON value
 */
public record Payload(String json) {
    /** Null for null. */
    public static Payload of(String json) {
        return json == null ? null : new Payload(json);
    }
}
