package io.queenmq.engine.command;

import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.partition.Segment;
import java.util.List;
import java.util.UUID;

/** The answer to a pop. */
public sealed interface PopOutcome {
    /** Nothing to hand out. */
    record Empty() implements PopOutcome {}

    /**
     * Messages, partition by partition, in order.
     *
     * @param leaseId the lease over all of them; null with autoAck
     * @param share the memory they take, to be closed when they are written or given back
     */
    record Delivered(String group, UUID leaseId, List<Run> runs, ByteBudget.Share share) implements PopOutcome {}

    /**
     * Consecutive messages of one segment of one partition: those at positions first to end - 1 of the segment.
     *
     * @param retryCount how many deliveries of these messages failed before
     */
    record Run(String queue, String partition, UUID partitionId, Segment segment, int first, int end, int retryCount) {}
}
