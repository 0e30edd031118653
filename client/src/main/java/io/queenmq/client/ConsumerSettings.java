package io.queenmq.client;

import java.time.Duration;

/**
 * How a consumer works; see {@link ConsumerBuilder}.
 *
 * @param idle null to go on for ever
 */
record ConsumerSettings(int concurrency, PopOptions pop, Duration lease, boolean isInterrupting, long limit,
        Duration idle, Duration drain, ErrorHandler errorHandler, ConsumerListener listener) {}
