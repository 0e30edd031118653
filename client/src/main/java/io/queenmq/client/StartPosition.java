package io.queenmq.client;

import java.time.Instant;

/**
 * The start position of a group that has never read a queue. A group that has read it resumes at its cursor; use {@code
 * seek} of the operator to move it.
 */
public sealed interface StartPosition {
    /** The oldest stored message. */
    record Beginning() implements StartPosition {}

    /** Messages pushed after the start. */
    record Now() implements StartPosition {}

    /** Messages pushed at this time or later. */
    record At(Instant moment) implements StartPosition {}

    static StartPosition beginning() {
        return new Beginning();
    }

    static StartPosition now() {
        return new Now();
    }

    static StartPosition at(Instant moment) {
        return new At(moment);
    }
}
