package io.queenmq.client.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change of all partitions of a queue that a server makes in pages, in the background.
 *
 * @param operationId the same for the changes of one request, which may be about several queues
 * @param kind clear, seek, subscribe, delete_group or delete_queue
 * @param status running, finished, or superseded by a later change
 * @param partition the only partition that is changed; null for all
 * @param group the group of a seek or of a deletion of a group
 * @param partitionsDone how many partitions are processed
 * @param partitionsTotal how many partitions the queue has, as last counted; 0 when they were not counted
 * @param partitionsChanged how many partitions or cursors were changed
 * @param messagesRemoved how many messages were removed
 * @param finishedAt null while it is running
 */
public record OperationProgress(String operationId, String kind, String status, String queue,
        @Nullable String partition, @Nullable String group, long partitionsDone, long partitionsTotal,
        long partitionsChanged, long messagesRemoved, Instant startedAt, @Nullable Instant finishedAt) {
    /** Returns true if partitions are left to process. */
    public boolean isRunning() {
        return status.equals("running");
    }
}
