package io.queenmq.server.operator;

import java.time.Duration;

/** The round of counting that a request for fresh counts waits for. At most one round is under way. */
enum CountingRound {
    /** The last round, which may have ended: it began so recently that its counts are fresh enough. */
    LAST,
    /** A round that begins now. */
    NEW,
    /** The round that begins when the one under way ends. Shared by all requests until then. */
    FOLLOWING;

    /** Together with the half second after which servers report what they touched, this is less than a second. */
    static final Duration FRESH = Duration.ofMillis(250);

    /**
     * @param ageNs the time since the last round began
     * @param isUnderWay true if the last round has not ended
     */
    static CountingRound of(long ageNs, boolean isUnderWay) {
        if (ageNs < FRESH.toNanos()) {
            return LAST;
        }
        return isUnderWay ? FOLLOWING : NEW;
    }
}
