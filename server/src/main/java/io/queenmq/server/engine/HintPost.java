package io.queenmq.server.engine;

import io.queenmq.engine.cluster.Hint;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.cluster.Transport;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Brings what comes from other servers to the engine loop; of hints only so many at a time. Safe from any thread. */
final class HintPost implements Transport.Listener {
    private static final int WAITING_MAX = 10_000;

    private final Mailbox mailbox;
    private final Transport.Listener rooms;
    private final Traffic traffic;
    private final AtomicInteger waiting = new AtomicInteger();

    HintPost(Mailbox mailbox, Transport.Listener rooms, Traffic traffic) {
        this.mailbox = mailbox;
        this.rooms = rooms;
        this.traffic = traffic;
    }

    @Override
    public void members(Set<UUID> others) {
        mailbox.post(() -> rooms.members(others));
    }

    @Override
    public void heard(UUID from, Hint hint) {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            traffic.countDropped(1);
            return;
        }
        mailbox.post(() -> {
            waiting.decrementAndGet();
            rooms.heard(from, hint);
        });
    }
}
