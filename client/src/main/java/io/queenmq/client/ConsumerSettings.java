package io.queenmq.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a consumer works; see {@link ConsumerBuilder}.
 *
 * @param maxPartitions 0 to choose by what comes
 * @param idle null to go on for ever
 */
record ConsumerSettings(int concurrency, PopOptions pop, int maxPartitions, Duration lease, boolean isInterrupting,
        long limit,
        @Nullable Duration idle, Duration drain, ErrorHandler errorHandler, ConsumerListener listener) {}
