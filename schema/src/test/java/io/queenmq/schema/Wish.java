package io.queenmq.schema;

import java.util.Arrays;
import java.util.UUID;

/** A lane that somebody wants to lease, and how. */
record Wish(UUID lane, String group, UUID lease, int batch, int leaseS, int delayS, int windowS, int laneLimit) {
    static Wish of(Lane lane, String group, int batch) {
        return new Wish(lane.id(), group, lane.newLeaseId(), batch, 60, 0, 0, 1000);
    }

    Wish forSeconds(int seconds) {
        return new Wish(lane, group, lease, batch, seconds, delayS, windowS, laneLimit);
    }

    Wish delayedBy(int seconds) {
        return new Wish(lane, group, lease, batch, leaseS, seconds, windowS, laneLimit);
    }

    Wish withWindow(int seconds) {
        return new Wish(lane, group, lease, batch, leaseS, delayS, seconds, laneLimit);
    }

    /** Alone under its lease id, which begins like the lane's, and without due times. */
    boolean isPlain(Wish... all) {
        return lease != null && delayS == 0 && windowS == 0
                && lease.getMostSignificantBits() >> 16 == lane.getMostSignificantBits() >> 16
                && Arrays.stream(all).filter(wish -> lease.equals(wish.lease)).count() == 1;
    }

    /** Wants one lane or one message in all. */
    boolean isSole() {
        return batch == 1 || laneLimit == 1;
    }

    Wish withLaneLimit(int limit) {
        return new Wish(lane, group, lease, batch, leaseS, delayS, windowS, limit);
    }

    Wish as(UUID leaseId) {
        return new Wish(lane, group, leaseId, batch, leaseS, delayS, windowS, laneLimit);
    }
}
