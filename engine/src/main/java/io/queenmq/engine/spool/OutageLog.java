package io.queenmq.engine.spool;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the start and the end of each outage of PostgreSQL in one line each, with durations and counts. Single lost connections are
 * not outages. Owned by the engine loop.
 */
final class OutageLog {
    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);

    /** Reconnecting after a lost connection takes less. */
    private static final long CONFIRMED_AFTER_NS = 1_000_000_000;
    private static final double SECOND_NS = 1e9;

    private boolean isUnavailable;
    private boolean isLogged;
    private long sinceNs;
    private long acceptedBefore;
    private boolean isDraining;
    private long availableSinceNs;
    private long spooled;

    /**
     * Must be called several times per second.
     *
     * @param accepted messages that the spool has accepted since the start of the server
     */
    void observe(boolean isAvailable, SpoolStatus spool, long accepted, long nowNs) {
        if (!isAvailable) {
            onUnavailable(spool, accepted, nowNs);
        } else if (isUnavailable) {
            onAvailable(spool, accepted, nowNs);
        } else if (isDraining && spool.pending() == 0) {
            isDraining = false;
            log.info("spool drained {} s after the outage, {} messages stored or refused",
                    seconds(nowNs - availableSinceNs), spooled);
        }
    }

    private void onUnavailable(SpoolStatus spool, long accepted, long nowNs) {
        if (!isUnavailable) {
            isUnavailable = true;
            sinceNs = nowNs;
            acceptedBefore = accepted;
        }
        if (!isLogged && nowNs - sinceNs >= CONFIRMED_AFTER_NS) {
            isLogged = true;
            log.error("PostgreSQL is unavailable: {}", spool.effectOfOutage());
        }
    }

    private void onAvailable(SpoolStatus spool, long accepted, long nowNs) {
        isUnavailable = false;
        if (isLogged) {
            isLogged = false;
            spooled = accepted - acceptedBefore;
            isDraining = spool.pending() > 0;
            availableSinceNs = nowNs;
            log.info("PostgreSQL is available again after {} s: {} messages were spooled, {} are pending",
                    seconds(nowNs - sinceNs), spooled, spool.pending());
        }
    }

    private static long seconds(long ns) {
        return Math.round(ns / SECOND_NS);
    }
}
