package io.queenmq.engine.pop;

import io.queenmq.engine.queue.Queue;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Handles events that other servers, operators or PostgreSQL report. Owned by the engine loop. */
public final class RemoteEvents {
    private final Backlogs backlogs;
    private final ReadyPartitions ready;
    private final BacklogLoader loader;
    private final PendingPoller poller;

    RemoteEvents(Backlogs backlogs, ReadyPartitions ready, BacklogLoader loader, PendingPoller poller) {
        this.backlogs = backlogs;
        this.ready = ready;
        this.loader = loader;
        this.poller = poller;
    }

    /** The partition may have messages, or any partition of the queue if it is null. */
    public void arrived(String queue, @Nullable String partition) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queue))) {
            if (backlog.isOpen() && partition != null) {
                ready.found(backlog, partition);
            } else if (loader.scan(backlog)) {
                poller.pollLeased(backlog);
            }
        }
    }

    /** A peer stored messages; head is the next offset of the partition. */
    public void pushed(Queue queue, String partition, long head) {
        ready.pushed(queue, partition, queue.partitionId(partition), head);
    }

    /** A lease of a group ended on a peer. */
    public void released(UUID partitionId, String group) {
        ready.releasedByPeer(partitionId, group);
    }

    /** Returns the queues that groups wait for or have recently read on this server. */
    public Set<String> queuesRead() {
        return backlogs.queueNames();
    }
}
