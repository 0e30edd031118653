package io.queenmq.server.config;

import java.time.Duration;

/**
 * How often upkeep looks, and how much it does at a time.
 *
 * @param retentionBatch about how many segments one transaction removes
 * @param evictionBatch about how many messages one transaction takes out of the way
 * @param idlePartitionDays after which an empty partition is deleted
 * @param metricsDays that figures about the past are kept
 * @param auditDays that records of the audit log are kept
 * @param keySweepInterval between two passes over encrypted messages
 * @param isReencrypting whether messages of old keys are encrypted again
 */
public record UpkeepConfig(Duration retentionInterval, int retentionBatch, Duration evictionInterval,
        int evictionBatch, int idlePartitionDays, int metricsDays, int auditDays,
        Duration keySweepInterval, boolean isReencrypting) {}
