package io.queenmq.engine.push;

/** The delays after which a partition is tried again that another transaction of the database locks. */
final class LockRetry {
    private static final long FIRST_NS = 5_000_000;
    private static final long MAX_NS = 500_000_000;

    private LockRetry() {}

    /** @param retries how often it was tried again before */
    static long delayNs(int retries) {
        return Math.min(FIRST_NS << Math.min(retries, 10), MAX_NS);
    }
}
