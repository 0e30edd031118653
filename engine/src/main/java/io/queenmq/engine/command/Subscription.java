package io.queenmq.engine.command;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * From where a group wants to read partitions it has not read before; counts at the group's first pop only.
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
    public Subscription forAnotherQueue() {
        return mode == Mode.NEW ? ALL : this;
    }

    /** What it is when it has to be recorded again: a group that reads what is new reads what came since it began. */
    public Subscription since(long epochMicros) {
        return mode == Mode.NEW
                ? new Subscription(Mode.TIMESTAMP,
                        OffsetDateTime.ofInstant(Instant.EPOCH.plus(epochMicros, ChronoUnit.MICROS), ZoneOffset.UTC))
                : this;
    }

    public enum Mode {
        ALL,
        NEW,
        TIMESTAMP
    }
}
