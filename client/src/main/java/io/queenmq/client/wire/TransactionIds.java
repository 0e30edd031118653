package io.queenmq.client.wire;

import java.security.SecureRandom;
import java.util.UUID;

/** Generates the transactionIds of messages without one: UUIDs of version 7, which sort by time. */
public final class TransactionIds {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long VERSION = 7L << 12;
    private static final long VARIANT = 1L << 63;

    private TransactionIds() {}

    public static String next() {
        long random = RANDOM.nextLong();
        long high = System.currentTimeMillis() << 16 | VERSION | random & 0xfff;
        return new UUID(high, VARIANT | RANDOM.nextLong() >>> 2).toString();
    }
}
