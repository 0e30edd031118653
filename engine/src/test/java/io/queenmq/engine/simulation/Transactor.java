package io.queenmq.engine.simulation;

import io.queenmq.engine.command.PushItem;
import java.util.ArrayList;
import java.util.List;

/** A client that pushes to several partitions in one transaction, beside producers that push to the same partitions. */
final class Transactor {
    private static final int RETRIES_MAX = 2;
    private static final long PAUSE_NS = 4_000_000_000L;

    private final Simulation simulation;
    private final World world;
    private final Clients clients;
    private final String name;
    private int number;

    Transactor(Simulation simulation, Clients clients, String name) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.clients = clients;
        this.name = name;
    }

    void start() {
        world.after(world.someNs(0, 500_000_000), this::next);
    }

    private void next() {
        if (simulation.isQuiet()) {
            return;
        }
        List<PushItem> items = new ArrayList<>();
        String queue = simulation.anyQueue();
        int size = 2 + world.random().nextInt(3);
        for (int i = 0; i < size; i++) {
            items.add(clients.item(queue, simulation.anyPartition(), name + "-" + number + "-" + i));
        }
        number++;
        send(items, RETRIES_MAX);
        world.after(world.happens(0.7) ? world.someNs(1_000_000, 100_000_000) : world.someNs(1_000_000, PAUSE_NS),
                this::next);
    }

    private void send(List<PushItem> items, int retries) {
        clients.transact(items, push -> {
            if (push.outcomes == null && retries > 0) {
                world.after(world.someNs(1_000_000, 1_000_000_000), () -> send(clients.again(items), retries - 1));
            }
        });
    }
}
