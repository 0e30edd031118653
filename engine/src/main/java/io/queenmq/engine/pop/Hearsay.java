package io.queenmq.engine.pop;

import io.queenmq.engine.queue.Queue;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What happened in partitions without this server's doing, as other servers, operators or PostgreSQL say. Owned by the engine
 * loop.
 */
public final class Hearsay {
    private final Backlogs backlogs;
    private final Readiness readiness;
    private final Sweeps sweeps;
    private final Watch watch;

    Hearsay(Backlogs backlogs, Readiness readiness, Sweeps sweeps, Watch watch) {
        this.backlogs = backlogs;
        this.readiness = readiness;
        this.sweeps = sweeps;
        this.watch = watch;
    }

    /** Something may have come into the partition, or into any of the queue when it is null. */
    public void rung(String queue, String partition) {
        for (Backlog backlog : List.copyOf(backlogs.ofQueue(queue))) {
            if (backlog.isOpen() && partition != null) {
                readiness.found(backlog, partition);
            } else if (sweeps.lookAfresh(backlog)) {
                watch.lookAtHeld(backlog);
            }
        }
    }

    /** Messages were stored in the partition. */
    public void pushed(Queue queue, String partition, long head) {
        readiness.pushed(queue, partition, queue.partitionId(partition), head);
    }

    /** A group's lease in the partition is over. */
    public void freed(UUID partitionId, String group) {
        readiness.freedElsewhere(partitionId, group);
    }

    /** The queues that somebody waits for or has lately read. */
    public Set<String> queuesRead() {
        return backlogs.queueNames();
    }
}
