package io.queenmq.engine.time;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Estimates the time of PostgreSQL's clock without a query: the last time that PostgreSQL reported, plus the time that has
 * passed since by the monotonic clock of this server. The time of day of this server is not used, so it may be wrong
 * or jump. Owned by the engine loop.
 */
public final class DatabaseClock {
    private static final long TOOK_MAX_NS = 1_000_000_000;

    private final Timers timers;
    private long reportedMicros;
    private long reportedNs;
    private boolean isKnown;

    public DatabaseClock(Timers timers) {
        this.timers = timers;
    }

    /**
     * Records a time that PostgreSQL has just reported. A report that took long is inexact, and is not used if there is another.
     *
     * @param askedNs the time at which the query was sent
     */
    public void report(Instant time, long askedNs) {
        long tookNs = timers.nowNs() - askedNs;
        if (!isKnown || tookNs <= TOOK_MAX_NS) {
            reportedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, time);
            reportedNs = askedNs + tookNs / 2;
            isKnown = true;
        }
    }

    /** Returns the monotonic time of this server, to measure how long a report takes. */
    public long nowNs() {
        return timers.nowNs();
    }

    /** Returns microseconds since 1970. Before the first report, this is the time of day of this server. */
    public long nowMicros() {
        return isKnown ? reportedMicros + (timers.nowNs() - reportedNs) / 1_000 : timers.epochMicros();
    }
}
