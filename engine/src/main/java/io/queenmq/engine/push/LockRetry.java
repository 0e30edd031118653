package io.queenmq.engine.push;

/** The delays between attempts at a partition while another transaction of the database locks it. */
final class LockRetry {
    private static final long FIRST_NS = 5_000_000;
    private static final long MAX_NS = 500_000_000;

    private LockRetry() {}

    /** @param retries the number of earlier retries */
    static long delayNs(int retries) {
        return Math.min(FIRST_NS << Math.min(retries, 10), MAX_NS);
    }
}
