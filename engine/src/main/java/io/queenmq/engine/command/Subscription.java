package io.queenmq.engine.command;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The start position of a group in partitions that it has not read before. Only the subscription of the group's first
 * pop takes effect.
 *
 * @param fromAt the start time for the mode TIMESTAMP; null otherwise
 */
public record Subscription(Mode mode, @Nullable OffsetDateTime fromAt) {
    public static final Subscription ALL = new Subscription(Mode.ALL, null);
    public static final Subscription NEW = new Subscription(Mode.NEW, null);

    /**
     * Returns the subscription for a queue that replaces a deleted one. All messages of the new queue are new to the group.
     */
    public Subscription forRecreatedQueue() {
        return mode == Mode.NEW ? ALL : this;
    }

    /**
     * Returns the subscription to record again for a group that began at the given time. A group that reads new
     * messages reads those that were pushed since then.
     */
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
