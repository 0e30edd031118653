package io.queenmq.engine.partition;

import io.queenmq.engine.queue.Queue;
import java.util.UUID;

/** The bell: something happened in a partition, so look again. Carries no message; a ring that is lost costs only time. */
public interface Arrivals {
    /**
     * Messages were stored; head is the partition's next offset now.
     *
     * @return whether somebody pops from the queue here, so that it is worth keeping what was pushed in memory
     */
    boolean pushed(Queue queue, String partition, UUID partitionId, long head);

    /**
     * A group's lease in the partition is over; committed is the first offset the group has not finished.
     *
     * @param queue the queue's name; null when it is not known
     * @return whether there may be something left in the partition for the group
     */
    boolean released(String queue, UUID partitionId, String group, long committed);
}
