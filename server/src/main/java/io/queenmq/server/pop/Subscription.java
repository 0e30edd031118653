package io.queenmq.server.pop;

import java.time.OffsetDateTime;

/**
 * From where a group wants to read lanes it has not read before; counts at the group's first pop only.
 *
 * @param fromAt the moment, for mode TIMESTAMP; null otherwise
 */
public record Subscription(Mode mode, OffsetDateTime fromAt) {
    public static final Subscription ALL = new Subscription(Mode.ALL, null);
    public static final Subscription NEW = new Subscription(Mode.NEW, null);

    /**
     * What it is of a queue that is created after the one it was of was deleted: whatever comes into that one is new to the
     * group.
     */
    Subscription forAnotherQueue() {
        return mode == Mode.NEW ? ALL : this;
    }

    public enum Mode {
        ALL,
        NEW,
        TIMESTAMP
    }
}
