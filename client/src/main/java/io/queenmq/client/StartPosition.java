package io.queenmq.client;

import java.time.Instant;

/**
 * Where a group begins to read a queue it has never read. A group that has read before goes on where it was; to move it,
 * use {@code seek} of the operator.
 */
public sealed interface StartPosition {
    /** With the oldest message there is. */
    record Beginning() implements StartPosition {}

    /** With what is pushed from now on. */
    record Now() implements StartPosition {}

    /** With what was pushed at this moment or later. */
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
