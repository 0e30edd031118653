package io.queenmq.engine.queue;

import io.queenmq.engine.command.ConfigureCommand;

/**
 * The options of a queue. In a {@link ConfigureCommand} a null component means "leave it as it is"; in a {@link Queue}
 * no component is null but the last.
 *
 * @param dedupWindowSeconds null in a queue: as the server's setting says; {@link #AS_THE_SERVER} to go back to that
 */
public record QueueOptions(Integer leaseTime, Integer retryLimit, Integer retryDelay, Double retryBackoff,
        Integer delayedProcessing, Integer windowBuffer, Integer priority, Long maxSize, Integer ttl,
        Integer maxWaitTimeSeconds,
        Boolean retentionEnabled, Integer retentionSeconds, Integer completedRetentionSeconds,
        Boolean encryptionEnabled,
        Boolean deadLetterQueue, Boolean dlqAfterMaxRetries, Integer dedupWindowSeconds) {

    public static final int AS_THE_SERVER = -1;

    /** What clients send as ttl without being asked: it means no more than 0 does. */
    private static final int TTL_SENT_UNASKED = 3600;

    /** Whether the queue takes only so many messages. */
    public boolean isLimited() {
        return maxSize > 0;
    }

    /** Whether messages that nobody reads in time leave the queue. */
    public boolean doMessagesExpire() {
        return maxWaitTimeSeconds > 0 || ttl != 0 && ttl != TTL_SENT_UNASKED;
    }
}
