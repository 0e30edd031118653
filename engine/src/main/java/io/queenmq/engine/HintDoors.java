package io.queenmq.engine;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.pop.RemoteEvents;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Reply;
import java.util.Set;
import java.util.UUID;

/** Brings what other servers say to the rooms it is for. Owned by the engine loop. */
final class HintDoors implements Peers.Doors {
    private final Catalog catalog;
    private final RemoteEvents remoteEvents;
    private boolean isLooking;
    private boolean isLookDue;

    HintDoors(Catalog catalog, RemoteEvents remoteEvents) {
        this.catalog = catalog;
        this.remoteEvents = remoteEvents;
    }

    @Override
    public void pushed(String queue, UUID queueId, String partition, long head) {
        Queue known = catalog.find(queue);
        // Of a queue that was created elsewhere just now the catalog is told apart from this.
        if (known != null && known.id().equals(queueId)) {
            remoteEvents.pushed(known, partition, head);
        }
    }

    @Override
    public void freed(UUID partitionId, String group) {
        remoteEvents.released(partitionId, group);
    }

    @Override
    public void rung(String queue, String partition) {
        remoteEvents.arrived(queue, partition);
    }

    /** However many hints come during a look, one more look answers all of them. */
    @Override
    public void catalogChanged() {
        if (isLooking) {
            isLookDue = true;
            return;
        }
        isLooking = true;
        catalog.look(Reply.of(_ -> onLooked(), _ -> onLooked()));
    }

    private void onLooked() {
        isLooking = false;
        if (isLookDue) {
            isLookDue = false;
            catalogChanged();
        }
    }

    @Override
    public Set<String> queuesRead() {
        return remoteEvents.queuesRead();
    }
}
