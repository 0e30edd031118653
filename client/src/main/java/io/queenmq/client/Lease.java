package io.queenmq.client;

import io.queenmq.client.error.RefusedException;
import io.queenmq.client.wire.Call;
import io.queenmq.client.wire.Endpoint;
import io.queenmq.client.wire.JsonWriter;
import io.queenmq.client.wire.Names;
import io.queenmq.client.wire.Reply;
import io.queenmq.client.wire.Wire;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The lease of one popped batch. The client may not have noticed that it is lost; the server decides. Thread-safe. */
final class Lease {
    /** The lease of messages that were popped at most once. */
    static final Lease NONE = new Lease("", null);

    private static final int GONE = 410;
    private static final int NOT_FOUND = 404;

    private final String id;
    private final @Nullable Endpoint server;
    private final Set<String> lostPartitions = ConcurrentHashMap.newKeySet();
    private volatile boolean isLost;

    /** @param server the server that granted the lease and has its state in memory */
    Lease(String id, @Nullable Endpoint server) {
        this.id = id;
        this.server = server;
    }

    String id() {
        return id;
    }

    @Nullable
    Endpoint server() {
        return server;
    }

    /** Returns true if the lease is lost for all partitions. */
    boolean isLost() {
        return isLost;
    }

    boolean isLostFor(String partitionId) {
        return isLost || lostPartitions.contains(partitionId);
    }

    void markLost() {
        isLost = true;
    }

    /**
     * Marks the lease as lost for one partition, because of a failure or an operator. Leases of other partitions may
     * still be valid.
     */
    void markLost(String partitionId) {
        lostPartitions.add(partitionId);
    }

    /** Extends the lease to at least this time from now. Returns false if it is lost. */
    boolean renew(Wire wire, Duration length, Duration retryFor) {
        if (isLost || id.isEmpty()) {
            return false;
        }
        // Servers count in seconds. The lease must not end at the server before it ends here.
        long seconds = Math.max(1, length.plusNanos(999_999_999).toSeconds());
        byte[] body = new JsonWriter().beginObject().field("seconds", seconds).endObject().bytes();
        Reply reply = wire.send(
                Call.post("/api/v1/lease/" + Names.encode(id) + "/extend", body).preferring(server).urgent(), retryFor);
        if (reply.status() == NOT_FOUND || reply.status() == GONE) {
            markLost();
            return false;
        }
        if (reply.status() / 100 != 2) {
            throw new RefusedException(reply.status(), reply.error());
        }
        return true;
    }
}
