package io.queenmq.engine.pop;

import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.queue.Queue;
import java.util.UUID;

/** Rings for those who wait here first, and then for those who wait elsewhere. */
record Bells(Arrivals here, Arrivals elsewhere) implements Arrivals {
    @Override
    public boolean pushed(Queue queue, String partition, UUID partitionId, long head) {
        boolean isRead = here.pushed(queue, partition, partitionId, head);
        elsewhere.pushed(queue, partition, partitionId, head);
        return isRead;
    }

    @Override
    public boolean released(String queue, UUID partitionId, String group, long committed) {
        boolean isMore = here.released(queue, partitionId, group, committed);
        if (isMore) {
            elsewhere.released(queue, partitionId, group, committed);
        }
        return isMore;
    }
}
