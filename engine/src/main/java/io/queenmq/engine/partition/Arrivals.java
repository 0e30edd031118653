package io.queenmq.engine.partition;

import io.queenmq.engine.queue.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Receives arrivals: signals that a partition may have messages to deliver. An arrival contains no message. A lost one only
 * delays delivery.
 */
public interface Arrivals {
    /**
     * Messages were stored in a partition.
     *
     * @param head the next offset of the partition
     * @return true if a group pops from the queue on this server, so that the messages should be cached
     */
    boolean pushed(Queue queue, String partition, UUID partitionId, long head);

    /**
     * The lease of a group in a partition ended.
     *
     * @param queue the name of the queue; null if it is not known
     * @param committed the first offset that the group has not finished
     * @return true if the partition may have more messages for the group
     */
    boolean released(@Nullable String queue, UUID partitionId, String group, long committed);
}
