package io.queenmq.engine.partition;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Moments as microseconds since 1970, UTC: as exact as PostgreSQL keeps them, and no object. */
public final class Micros {
    private Micros() {}

    public static long of(OffsetDateTime at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at.toInstant());
    }

    public static OffsetDateTime moment(long micros) {
        return OffsetDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    }
}
