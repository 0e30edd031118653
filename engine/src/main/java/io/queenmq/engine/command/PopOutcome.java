package io.queenmq.engine.command;

import io.queenmq.engine.budget.ByteBudget;
import io.queenmq.engine.partition.Segment;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outcome of a pop. */
public sealed interface PopOutcome {
    /** No message is available. */
    record Empty() implements PopOutcome {}

    /**
     * Messages, grouped by partition, in order.
     *
     * @param leaseId the lease of all messages; null with autoAck
     * @param share the bytes of the messages in the budget; must be closed when the messages are written or released
     */
    record Delivered(String group, @Nullable UUID leaseId, List<Run> runs,
            ByteBudget.Share share) implements PopOutcome {}

    /**
     * Consecutive messages of one segment of one partition: those at positions first to end - 1 of the segment.
     *
     * @param retryCount the number of failed deliveries of these messages
     */
    record Run(String queue, String partition, UUID partitionId, Segment segment, int first, int end, int retryCount) {}
}
