package io.queenmq.engine.partition;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Times as microseconds since 1970, UTC: the precision of PostgreSQL, without an object for each. */
public final class Micros {
    private Micros() {}

    public static long of(OffsetDateTime at) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, at.toInstant());
    }

    public static OffsetDateTime moment(long micros) {
        return OffsetDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    }
}
