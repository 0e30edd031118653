package io.queenmq.server.engine;

import io.queenmq.engine.cluster.Hint;
import io.queenmq.engine.cluster.Traffic;
import io.queenmq.engine.cluster.Transport;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Posts events of the cluster to the engine loop. Drops hints while too many of them wait. Safe from any thread. */
final class HintPost implements Transport.Listener {
    private static final int WAITING_MAX = 10_000;

    private final Mailbox mailbox;
    private final Transport.Listener modules;
    private final Traffic traffic;
    private final AtomicInteger waiting = new AtomicInteger();

    HintPost(Mailbox mailbox, Transport.Listener modules, Traffic traffic) {
        this.mailbox = mailbox;
        this.modules = modules;
        this.traffic = traffic;
    }

    @Override
    public void members(Set<UUID> others) {
        mailbox.post(() -> modules.members(others));
    }

    @Override
    public void received(UUID from, Hint hint) {
        if (waiting.incrementAndGet() > WAITING_MAX) {
            waiting.decrementAndGet();
            traffic.countDropped(1);
            return;
        }
        mailbox.post(() -> {
            waiting.decrementAndGet();
            modules.received(from, hint);
        });
    }
}
