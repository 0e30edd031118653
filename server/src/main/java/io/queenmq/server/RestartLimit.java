package io.queenmq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/** How often a PostgreSQL that ends by itself is started again before somebody has to look. Used by one thread at a time. */
final class RestartLimit {
    static final int RESTARTS_MAX = 3;
    static final Duration WITHIN = Duration.ofMinutes(10);

    private final LongSupplier nowNs;
    private final ArrayDeque<Long> restarts = new ArrayDeque<>();

    RestartLimit(LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    /** Whether it may be started once more; counted if so. */
    boolean isAllowed() {
        long now = nowNs.getAsLong();
        restarts.removeIf(then -> now - then > WITHIN.toNanos());
        return restarts.size() < RESTARTS_MAX && restarts.add(now);
    }
}
