package io.queenmq.client;

import static io.queenmq.client.QueenBuilder.requirePositive;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a buffer, and its start. For one thread. */
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

    /** How many messages may be on their way; 10,000 unless set. */
    public BufferedPushBuilder<T> capacity(int capacity) {
        this.capacity = requireAtLeastOne(capacity, "capacity");
        return this;
    }

    /** How many messages go into one request at most; 500 unless set. */
    public BufferedPushBuilder<T> batch(int batch) {
        this.batch = requireAtLeastOne(batch, "batch");
        return this;
    }

    /** {@link WhenFull#BLOCK} unless set. */
    public BufferedPushBuilder<T> whenFull(WhenFull whenFull) {
        this.whenFull = requireNonNull(whenFull);
        return this;
    }

    /**
     * How long a message is tried; 10 minutes unless set. At most 45 minutes, because servers know for an hour what they
     * have stored already.
     */
    public BufferedPushBuilder<T> giveUpAfter(Duration giveUpAfter) {
        if (requirePositive(giveUpAfter, "giveUpAfter").compareTo(GIVE_UP_MAX) > 0) {
            throw new IllegalArgumentException("giveUpAfter must be at most " + GIVE_UP_MAX + ", not " + giveUpAfter);
        }
        this.giveUpAfter = giveUpAfter;
        return this;
    }

    /** How long closing goes on trying; 30 seconds unless set. */
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
