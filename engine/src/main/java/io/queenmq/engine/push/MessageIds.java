package io.queenmq.engine.push;

import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Makes the ids of messages: UUIDs of version 7 (48 bits of time in milliseconds, 12 bits of sequence, 62 random bits),
 * each greater than the one before. Owned by one thread; the random bits make the ids of different threads and servers distinct.
 */
public final class MessageIds {
    private static final int SEQUENCE_MAX = 0xfff;
    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;

    private final LongSupplier clockMs;
    private final SplittableRandom random;
    private long lastMs;
    private int sequence;

    public MessageIds(LongSupplier clockMs) {
        this.clockMs = clockMs;
        // Ids are not secrets, so a secure random number is needed only for the seed.
        this.random = new SplittableRandom(new SecureRandom().nextLong());
    }

    public UUID next() {
        long nowMs = clockMs.getAsLong();
        if (nowMs > lastMs) {
            lastMs = nowMs;
            sequence = 0;
        } else if (sequence < SEQUENCE_MAX) {
            sequence++;
        } else {
            // More than 4096 ids in a millisecond, or the clock jumped back: use a later time, so that no id is repeated.
            lastMs++;
            sequence = 0;
        }
        return new UUID(lastMs << 16 | VERSION | sequence, VARIANT | random.nextLong() >>> 2);
    }
}
