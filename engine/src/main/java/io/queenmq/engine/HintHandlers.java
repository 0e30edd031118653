package io.queenmq.engine;

import io.queenmq.engine.catalog.Catalog;
import io.queenmq.engine.cluster.Peers;
import io.queenmq.engine.pop.RemoteEvents;
import io.queenmq.engine.queue.Queue;
import io.queenmq.engine.reply.Reply;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Passes hints of peers to the modules that use them. Owned by the engine loop. */
final class HintHandlers implements Peers.HintListener {
    private final Catalog catalog;
    private final RemoteEvents remoteEvents;
    private boolean isRefreshing;
    private boolean isRefreshDue;

    HintHandlers(Catalog catalog, RemoteEvents remoteEvents) {
        this.catalog = catalog;
        this.remoteEvents = remoteEvents;
    }

    @Override
    public void pushed(String queue, UUID queueId, String partition, long head) {
        Queue known = catalog.find(queue);
        // If another server has just created the queue, its separate CatalogChange hint refreshes the catalog.
        if (known != null && known.id().equals(queueId)) {
            remoteEvents.pushed(known, partition, head);
        }
    }

    @Override
    public void freed(UUID partitionId, String group) {
        remoteEvents.released(partitionId, group);
    }

    @Override
    public void arrived(String queue, @Nullable String partition) {
        remoteEvents.arrived(queue, partition);
    }

    /** Refreshes the catalog. Hints that arrive during a refresh share one further refresh. */
    @Override
    public void catalogChanged() {
        if (isRefreshing) {
            isRefreshDue = true;
            return;
        }
        isRefreshing = true;
        catalog.refresh(Reply.of(_ -> onRefreshed(), _ -> onRefreshed()));
    }

    private void onRefreshed() {
        isRefreshing = false;
        if (isRefreshDue) {
            isRefreshDue = false;
            catalogChanged();
        }
    }

    @Override
    public Set<String> queuesRead() {
        return remoteEvents.queuesRead();
    }
}
