package io.queenmq.engine.numbers;

import io.queenmq.engine.numbers.Gauges.Measured;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What a server counted and measured in a few seconds, to be added to the buckets once.
 *
 * @param number tells it apart from the other reports of this server, so that it can be repeated without harm
 * @param sinceNs when counting began
 */
record Report(long number, long sinceNs, Map<UUID, long[]> queues, long[] total, long calls, long errors,
        List<Measured> gauges) {}
