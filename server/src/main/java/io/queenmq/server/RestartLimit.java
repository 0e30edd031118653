package io.queenmq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Limits the restarts of a PostgreSQL that ends by itself. Beyond the limit, an operator must act. Used by one thread at a
 * time.
 */
final class RestartLimit {
    static final int RESTARTS_MAX = 3;
    static final Duration WITHIN = Duration.ofMinutes(10);

    private final LongSupplier nowNs;
    private final ArrayDeque<Long> restarts = new ArrayDeque<>();

    RestartLimit(LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    /** Returns true if PostgreSQL may be restarted, and counts that restart. */
    boolean isAllowed() {
        long now = nowNs.getAsLong();
        restarts.removeIf(at -> now - at > WITHIN.toNanos());
        return restarts.size() < RESTARTS_MAX && restarts.add(now);
    }
}
