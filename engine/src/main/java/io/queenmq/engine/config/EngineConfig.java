package io.queenmq.engine.config;

import java.time.Duration;

/**
 * Bounds and habits of the engine.
 *
 * @param requestsPerBatchMax the most requests moved by one database call
 * @param microBatchWait how long a request may wait for company although a connection is free
 * @param callsInFlightMax the most database calls of one operation at a time
 * @param requestsWaitingMax the most requests of one operation waiting for a call; more are refused
 * @param unavailableAfter how long a request waits for a lost database before it is told so
 * @param dedupWindow how far back a transactionId is remembered in its partition
 * @param dedupMessages how many messages back a transactionId is remembered in its partition
 * @param dedupMemoryMessages how many transactionIds all partitions together keep in memory
 * @param segmentCacheBytes how much of what was pushed lately stays in memory
 * @param popBytesMax about how many bytes of messages one pop is given
 * @param answerBytesMax how many bytes of messages may be on their way to consumers
 * @param parkedMax the most waiting pops
 */
public record EngineConfig(int requestsPerBatchMax, Duration microBatchWait, int callsInFlightMax,
        int requestsWaitingMax,
        Duration unavailableAfter, Duration dedupWindow, int dedupMessages, int dedupMemoryMessages,
        long segmentCacheBytes, int popBytesMax, long answerBytesMax, int parkedMax, PopWait popWait) {

    /** When a group of waiting pops that nobody rings looks by itself. */
    public record PopWait(Duration baseInterval, int backoffThreshold, double backoffMultiplier,
            Duration maxInterval) {}
}
