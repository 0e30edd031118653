package io.queenmq.server.config;

import java.time.Duration;

/**
 * Intervals and batch sizes of upkeep.
 *
 * @param retentionBatch approximate number of segments that one transaction removes
 * @param evictionBatch approximate number of messages that one transaction evicts
 * @param idlePartitionDays days after which an empty partition is deleted
 * @param metricsDays days for which historical metrics are kept
 * @param auditDays days for which records of the audit log are kept
 * @param keySweepInterval interval between two passes over encrypted messages
 * @param isReencrypting true if messages with an old key are re-encrypted
 */
public record UpkeepConfig(Duration retentionInterval, int retentionBatch, Duration evictionInterval, int evictionBatch,
        int idlePartitionDays, int metricsDays, int auditDays, Duration keySweepInterval, boolean isReencrypting) {}
