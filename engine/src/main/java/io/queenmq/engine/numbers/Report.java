package io.queenmq.engine.numbers;

import io.queenmq.engine.numbers.Gauges.Measured;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The counts and samples of a server in one interval. They are added to the buckets exactly once.
 *
 * @param number identifies the report among those of this server, so that repeating it has no effect
 * @param sinceNs the start of the interval
 */
record Report(long number, long sinceNs, Map<UUID, long[]> queues, long[] total, long calls, long errors,
        List<Measured> gauges) {}
