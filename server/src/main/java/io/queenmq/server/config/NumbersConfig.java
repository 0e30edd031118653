package io.queenmq.server.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of metrics.
 *
 * @param workerId name of the server; null if none is configured
 * @param reportEvery interval of reports to the database
 * @param totalsEvery interval at which totals over partitions are refreshed
 */
public record NumbersConfig(@Nullable String workerId, Duration reportEvery, Duration totalsEvery) {}
