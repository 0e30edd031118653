package io.queenmq.server.catalog;

/**
 * The options of a queue. In a {@link ConfigureCommand} a null component means "leave it as it is"; in a {@link Queue}
 * no component is null.
 */
public record QueueOptions(Integer leaseTime, Integer retryLimit, Integer retryDelay, Integer delayedProcessing,
        Integer windowBuffer, Integer priority, Long maxSize, Integer ttl, Integer maxWaitTimeSeconds,
        Boolean retentionEnabled, Integer retentionSeconds, Integer completedRetentionSeconds,
        Boolean encryptionEnabled,
        Boolean deadLetterQueue, Boolean dlqAfterMaxRetries) {}
