package io.queenmq.client;

import static io.queenmq.client.QueenBuilder.requirePositive;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Configures and starts a buffer. Not thread-safe. */
public final class BufferedPushBuilder<T> {
    private static final Duration GIVE_UP_MAX = Duration.ofMinutes(45);

    private final Context context;
    private final String queue;
    private final @Nullable String partition;
    private int capacity = 10_000;
    private int batch = 500;
    private WhenFull whenFull = WhenFull.BLOCK;
    private Duration giveUpAfter = Duration.ofMinutes(10);
    private Duration closeWithin = Duration.ofSeconds(30);

    BufferedPushBuilder(Context context, String queue, @Nullable String partition) {
        this.context = context;
        this.queue = queue;
        this.partition = partition;
    }

    /** Sets the maximum number of pending messages (default: 10,000). */
    public BufferedPushBuilder<T> capacity(int capacity) {
        this.capacity = requireAtLeastOne(capacity, "capacity");
        return this;
    }

    /** Sets the maximum number of messages per request (default: 500). */
    public BufferedPushBuilder<T> batch(int batch) {
        this.batch = requireAtLeastOne(batch, "batch");
        return this;
    }

    /** Sets the behavior of a full buffer (default: {@link WhenFull#BLOCK}). */
    public BufferedPushBuilder<T> whenFull(WhenFull whenFull) {
        this.whenFull = requireNonNull(whenFull);
        return this;
    }

    /**
     * Sets how long a message is retried (default: 10 minutes, maximum: 45 minutes). Servers detect duplicates for an
     * hour, so a longer time could store a message twice.
     */
    public BufferedPushBuilder<T> giveUpAfter(Duration giveUpAfter) {
        if (requirePositive(giveUpAfter, "giveUpAfter").compareTo(GIVE_UP_MAX) > 0) {
            throw new IllegalArgumentException("giveUpAfter must be at most " + GIVE_UP_MAX + ", not " + giveUpAfter);
        }
        this.giveUpAfter = giveUpAfter;
        return this;
    }

    /** Sets how long {@link BufferedPush#close} retries (default: 30 seconds). */
    public BufferedPushBuilder<T> closeWithin(Duration closeWithin) {
        this.closeWithin = requirePositive(closeWithin, "closeWithin");
        return this;
    }

    public BufferedPush<T> start() {
        return BufferedPush.start(context, queue, partition,
                new BufferedPush.Settings(capacity, batch, whenFull, giveUpAfter, closeWithin));
    }

    private static int requireAtLeastOne(int number, String what) {
        if (number < 1) {
            throw new IllegalArgumentException(what + " must be at least 1, not " + number);
        }
        return number;
    }
}
