package io.queenmq.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a consumer, see {@link ConsumerBuilder}.
 *
 * @param maxPartitions 0 for adaptive
 * @param idle null to run until closed
 */
record ConsumerSettings(int concurrency, PopOptions pop, int maxPartitions, Duration lease, boolean isInterrupting,
        long limit, @Nullable Duration idle, Duration drain, ErrorHandler errorHandler, ErrorHandler undecodable,
        ConsumerListener listener) {}
