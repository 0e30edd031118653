package io.queenmq.engine.ack;

import java.util.UUID;

/**
 * A lease in one partition.
 *
 * @param queue the name of the queue
 * @param partition the name of the partition
 */
public record LeasedPartition(UUID partitionId, String group, UUID leaseId, String queue, String partition) {}
