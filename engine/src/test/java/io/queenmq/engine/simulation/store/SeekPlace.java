package io.queenmq.engine.simulation.store;

/** Where a group is to go on. */
public sealed interface SeekPlace {
    /** At the first message kept. */
    record Beginning() implements SeekPlace {}

    /** Behind the last message. */
    record End() implements SeekPlace {}

    /** At the first message after a moment, in microseconds since 1970. */
    record After(long moment) implements SeekPlace {}

    /** At an offset; of one partition only. */
    record Offset(long offset) implements SeekPlace {}
}
