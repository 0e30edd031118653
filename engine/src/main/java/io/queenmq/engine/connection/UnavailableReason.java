package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reason why PostgreSQL is unavailable although it can be reached, if there is one. Owned by the engine loop. */
final class UnavailableReason {
    private static final Logger log = LoggerFactory.getLogger(UnavailableReason.class);
    /** The time that an error is reported if it does not occur again. */
    private static final long LASTS_NS = 10_000_000_000L;

    private final Timers timers;
    private @Nullable String reason;
    private long sinceNs;
    private boolean isReplicating;

    UnavailableReason(Timers timers) {
        this.timers = timers;
    }

    /** A call failed with an error that affects every call. */
    void set(String why) {
        if (text() == null) {
            log.error("PostgreSQL unavailable: {}", why);
        }
        reason = why;
        sinceNs = timers.nowNs();
    }

    /** A call succeeded. */
    void clear() {
        if (reason != null) {
            log.info("PostgreSQL available again");
        }
        reason = null;
    }

    /** Sets whether commits wait for a synchronous standby. */
    void setReplicating(boolean isWaiting) {
        if (isWaiting && !isReplicating) {
            log.error("{}", Replication.WAITING_FOR_STANDBY);
        } else if (!isWaiting && isReplicating) {
            log.info("commits no longer wait for a synchronous standby");
        }
        isReplicating = isWaiting;
    }

    boolean isReplicating() {
        return isReplicating;
    }

    /** Returns the reason; null if there is none. */
    @Nullable
    String text() {
        if (isReplicating) {
            return Replication.WAITING_FOR_STANDBY;
        }
        return reason != null && timers.nowNs() - sinceNs < LASTS_NS ? reason : null;
    }
}
