package io.queenmq.engine.simulation.store;

import io.queenmq.engine.partition.Micros;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Converts times between microseconds since 1970, as in the store, and the types of the driver. */
final class Moments {
    static final long SECOND = 1_000_000;

    private Moments() {}

    static OffsetDateTime of(Long micros) {
        return micros == null ? null : Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    static Long micros(OffsetDateTime moment) {
        return moment == null ? null : Micros.of(moment);
    }

    /** Returns true if a time in the future was written while the clock was ahead. */
    static boolean isImplausible(long micros, long now) {
        return micros > now + 60 * SECOND;
    }

    /** Returns the time of a new message: not before the last one of its partition, unless that one is implausible. */
    static long pushedAt(long now, Long lastPushAt) {
        return lastPushAt == null || isImplausible(lastPushAt, now) ? now : Math.max(now, lastPushAt);
    }

    /** Returns the milliseconds between two times, rounded up. */
    static Long millisUntil(Long until, long now) {
        return until == null ? null : Math.ceilDiv(until - now, 1_000);
    }
}
