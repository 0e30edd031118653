package io.queenmq.server.engine;

import io.queenmq.server.catalog.Catalog;
import io.queenmq.server.catalog.Queue;
import io.queenmq.server.cluster.Neighbours;
import io.queenmq.server.pop.Pops;
import java.util.Set;
import java.util.UUID;

/** Brings what other servers say to the rooms it is for. Owned by the engine loop. */
record HintDoors(Catalog catalog, Pops pops) implements Neighbours.Doors {
    @Override
    public void pushed(String queue, UUID queueId, String partition, long head) {
        Queue known = catalog.find(queue);
        // Of a queue that was created elsewhere just now the catalog is told apart from this.
        if (known != null && known.id().equals(queueId)) {
            pops.pushedElsewhere(known, partition, head);
        }
    }

    @Override
    public void freed(UUID partitionId, String group) {
        pops.freedElsewhere(partitionId, group);
    }

    @Override
    public void rung(String queue, String partition) {
        pops.lookAgain(queue, partition);
    }

    @Override
    public void catalogChanged() {
        catalog.lookAfterHint();
    }

    @Override
    public Set<String> queuesRead() {
        return pops.queuesRead();
    }
}
