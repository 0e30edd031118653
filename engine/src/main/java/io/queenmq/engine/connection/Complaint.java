package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reason why PostgreSQL cannot work although it can be reached, if there is one. Owned by the engine loop. */
final class Complaint {
    private static final Logger log = LoggerFactory.getLogger(Complaint.class);
    /** How long an error counts, if it does not occur again. */
    private static final long LASTS_NS = 10_000_000_000L;

    private final Timers timers;
    private String reason;
    private long sinceNs;
    private boolean isReplicating;

    Complaint(Timers timers) {
        this.timers = timers;
    }

    /** A call failed because PostgreSQL cannot work, whichever call it is. */
    void unable(String why) {
        if (text() == null) {
            log.error("PostgreSQL cannot work: {}", why);
        }
        reason = why;
        sinceNs = timers.nowNs();
    }

    /** A call succeeded. */
    void able() {
        if (reason != null) {
            log.info("PostgreSQL works again");
        }
        reason = null;
    }

    /** Commits wait for a synchronous standby until this is called with false. */
    void setReplicating(boolean isWaiting) {
        if (isWaiting && !isReplicating) {
            log.error("{}", Replication.COMPLAINT);
        } else if (!isWaiting && isReplicating) {
            log.info("commits no longer wait for a synchronous standby");
        }
        isReplicating = isWaiting;
    }

    boolean isReplicating() {
        return isReplicating;
    }

    /** Null when there is no reason. */
    String text() {
        if (isReplicating) {
            return Replication.COMPLAINT;
        }
        return reason != null && timers.nowNs() - sinceNs < LASTS_NS ? reason : null;
    }
}
