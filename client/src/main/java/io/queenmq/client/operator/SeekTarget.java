package io.queenmq.client.operator;

import java.time.Instant;

/** The new position of a group. */
public sealed interface SeekTarget {
    /** After the last message. */
    record End() implements SeekTarget {}

    /** At the first stored message. */
    record Beginning() implements SeekTarget {}

    /** At the first message pushed after this time. */
    record After(Instant moment) implements SeekTarget {}

    /** At this offset. For a single partition only, because offsets count per partition. */
    record Offset(long offset) implements SeekTarget {}

    static SeekTarget end() {
        return new End();
    }

    static SeekTarget beginning() {
        return new Beginning();
    }

    static SeekTarget after(Instant moment) {
        return new After(moment);
    }

    static SeekTarget offset(long offset) {
        return new Offset(offset);
    }
}
