package io.queenmq.engine.pop;

import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.partition.Arrivals;
import io.queenmq.engine.queue.Queue;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Applies arrivals to the ready partitions of this server, and sends hints to peers. */
record ArrivalFanout(ReadyPartitions ready, Peers peers) implements Arrivals {
    @Override
    public boolean pushed(Queue queue, String partition, UUID partitionId, long head) {
        boolean isRead = ready.pushed(queue, partition, partitionId, head);
        peers.pushed(queue, partition, head);
        return isRead;
    }

    @Override
    public boolean released(@Nullable String queue, UUID partitionId, String group, long committed) {
        boolean isMore = ready.released(partitionId, group, committed);
        if (isMore) {
            peers.released(queue, partitionId, group);
        }
        return isMore;
    }
}
