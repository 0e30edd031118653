package io.queenmq.client.operator;

import java.time.Instant;

/** Where a group is to go on reading. */
public sealed interface SeekTarget {
    /** Behind the last message there is. */
    record End() implements SeekTarget {}

    /** With what was pushed after this moment. */
    record After(Instant moment) implements SeekTarget {}

    static SeekTarget end() {
        return new End();
    }

    static SeekTarget after(Instant moment) {
        return new After(moment);
    }
}
