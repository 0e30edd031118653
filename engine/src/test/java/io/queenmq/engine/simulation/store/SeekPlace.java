package io.queenmq.engine.simulation.store;

/** The target of a seek. */
public sealed interface SeekPlace {
    /** The first stored message. */
    record Beginning() implements SeekPlace {}

    /** After the last message. */
    record End() implements SeekPlace {}

    /** The first message after a time, in microseconds since 1970. */
    record After(long moment) implements SeekPlace {}

    /** An offset; for one partition only. */
    record Offset(long offset) implements SeekPlace {}
}
