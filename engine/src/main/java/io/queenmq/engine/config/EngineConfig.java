package io.queenmq.engine.config;

import java.time.Duration;

/**
 * The limits and timeouts of the engine.
 *
 * @param requestsPerBatchMax the maximum number of requests in one database call
 * @param microBatchWait the time that a request may wait for others although a connection is free
 * @param callsInFlightMax the maximum number of concurrent database calls of one operation
 * @param requestsWaitingMax the maximum number of requests of one operation that wait for a call; more are refused
 * @param unavailableAfter the time that a request waits for an unavailable database before it fails
 * @param dedupWindow the time that transactionIds are compared in their partition
 * @param dedupMessages the number of earlier messages of a partition whose transactionIds are compared
 * @param dedupMemoryMessages the maximum number of transactionIds of all partitions in memory
 * @param segmentCacheBytes the maximum size of the segment cache
 * @param popBytesMax the approximate maximum number of message bytes of one pop
 * @param answerBytesMax the maximum number of message bytes that are being sent to consumers
 * @param waitingPopsMax the maximum number of waiting pops
 */
public record EngineConfig(int requestsPerBatchMax, Duration microBatchWait, int callsInFlightMax,
        int requestsWaitingMax, Duration unavailableAfter, Duration dedupWindow, int dedupMessages,
        int dedupMemoryMessages, long segmentCacheBytes, int popBytesMax, long answerBytesMax, int waitingPopsMax,
        PopWait popWait) {

    /** The intervals at which waiting pops poll PostgreSQL while there is no arrival. */
    public record PopWait(Duration baseInterval, int backoffThreshold, double backoffMultiplier,
            Duration maxInterval) {}
}
