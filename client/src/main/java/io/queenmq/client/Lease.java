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

/**
 * The right to the partitions of one popped batch, as far as this client knows: it may be lost at any time, and the server's
 * word is final. Safe from any thread.
 */
final class Lease {
    /** Messages that were popped at most once are nobody's to lose. */
    static final Lease NONE = new Lease("", null);

    private static final int GONE = 410;
    private static final int NOT_FOUND = 404;

    private final String id;
    private final @Nullable Endpoint giver;
    private final Set<String> lostPartitions = ConcurrentHashMap.newKeySet();
    private volatile boolean isLost;

    /** @param giver the server that gave it and knows it best */
    Lease(String id, @Nullable Endpoint giver) {
        this.id = id;
        this.giver = giver;
    }

    String id() {
        return id;
    }

    @Nullable
    Endpoint giver() {
        return giver;
    }

    /** Whether all of it is lost. */
    boolean isLost() {
        return isLost;
    }

    boolean isLostFor(String partitionId) {
        return isLost || lostPartitions.contains(partitionId);
    }

    void lose() {
        isLost = true;
    }

    /** One partition is no longer held, because of a failure or an operator; others may be. */
    void lose(String partitionId) {
        lostPartitions.add(partitionId);
    }

    /** Makes it last at least that much longer; false when it is lost. */
    boolean renew(Wire wire, Duration length, Duration retryFor) {
        if (isLost || id.isEmpty()) {
            return false;
        }
        // Servers count in seconds, and it must not end there before it ends here.
        long seconds = Math.max(1, length.plusNanos(999_999_999).toSeconds());
        byte[] body = new JsonWriter().beginObject().field("seconds", seconds).endObject().bytes();
        Reply reply = wire.send(
                Call.post("/api/v1/lease/" + Names.encode(id) + "/extend", body).preferring(giver).urgent(),
                retryFor);
        if (reply.status() == NOT_FOUND || reply.status() == GONE) {
            lose();
            return false;
        }
        if (reply.status() / 100 != 2) {
            throw new RefusedException(reply.status(), reply.error());
        }
        return true;
    }
}
