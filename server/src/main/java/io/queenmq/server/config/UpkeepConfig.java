package io.queenmq.server.config;

import java.time.Duration;

/**
 * Intervals and batch sizes of upkeep.
 *
 * @param keySweepInterval interval between two passes over encrypted messages
 * @param isReencrypting true if messages with an old key are re-encrypted
 */
public record UpkeepConfig(Removal retention, Removal eviction, DaysKept daysKept, Duration keySweepInterval,
        boolean isReencrypting) {

    /**
     * A periodic removal of messages.
     *
     * @param batch approximate number of segments (retention) or messages (eviction) that one transaction removes
     */
    public record Removal(Duration interval, int batch) {}

    /**
     * The days after which stored data is deleted.
     *
     * @param idlePartitions days after which an empty partition is deleted
     * @param metrics days for which historical metrics are kept
     * @param audit days for which records of the audit log are kept
     */
    public record DaysKept(int idlePartitions, int metrics, int audit) {}
}
