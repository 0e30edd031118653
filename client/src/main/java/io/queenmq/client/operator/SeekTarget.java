package io.queenmq.client.operator;

import java.time.Instant;

/** Where a group is to go on reading. */
public sealed interface SeekTarget {
    /** Behind the last message there is. */
    record End() implements SeekTarget {}

    /** At the first message that is kept. */
    record Beginning() implements SeekTarget {}

    /** With what was pushed after this moment. */
    record After(Instant moment) implements SeekTarget {}

    /** At this place; in a single partition only, because each counts for itself. */
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
