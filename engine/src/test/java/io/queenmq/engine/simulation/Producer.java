package io.queenmq.engine.simulation;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import java.util.ArrayList;
import java.util.List;

/** A client that pushes, repeats failed requests, and sometimes repeats earlier messages. */
final class Producer {
    private static final int RETRIES_MAX = 3;
    private static final double OLD_SHARE = 0.45;
    /** The share of repeated requests, as from a restarted client. */
    private static final double AGAIN_SHARE = 0.15;
    private static final double BURST_SHARE = 0.7;

    private static final long PAUSE_NS = 6_000_000_000L;

    private final Simulation simulation;
    private final World world;
    private final Clients clients;
    private final String name;
    private final List<List<PushItem>> sent = new ArrayList<>();
    private int number;

    Producer(Simulation simulation, Clients clients, String name) {
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
        if (!simulation.hasServer()) {
            world.after(100_000_000, this::next);
            return;
        }
        List<PushItem> items = !sent.isEmpty() && world.happens(AGAIN_SHARE)
                ? clients.again(sent.get(world.random().nextInt(sent.size())))
                : newItems();
        sent.add(items);
        send(items, RETRIES_MAX);
        // Some clients send further requests before the response.
        world.after(world.happens(BURST_SHARE) ? world.someNs(10_000, 5_000_000) : world.someNs(1_000_000, PAUSE_NS),
                this::next);
    }

    private List<PushItem> newItems() {
        List<PushItem> items = new ArrayList<>();
        int size = 1 + (int) world.someNs(0, 6);
        String queue = simulation.anyQueue();
        String partition = simulation.anyPartition();
        for (int i = 0; i < size; i++) {
            if (world.happens(0.3)) {
                partition = simulation.anyPartition();
            }
            items.add(clients.item(queue, partition, transactionId()));
        }
        return items;
    }

    /** Several producers share transactionIds, so that duplicates occur. */
    private String transactionId() {
        if (!world.happens(OLD_SHARE)) {
            return name + "-" + number++;
        }
        // Mostly a transactionId of the last seconds; sometimes one of a message that may have been removed.
        long newest = world.nowNs() / 1_000_000_000;
        return "shared-" + (world.happens(0.7) ? newest - world.random().nextInt(5) : world.random().nextLong(newest));
    }

    private void send(List<PushItem> items, int retries) {
        clients.push(items, push -> {
            boolean isOpen = push.outcomes == null
                    || push.outcomes.stream().anyMatch(outcome -> outcome instanceof PushOutcome.Failed);
            if (isOpen && retries > 0 && world.happens(0.8)) {
                world.after(world.someNs(1_000_000, 2_000_000_000), () -> {
                    if (simulation.hasServer()) {
                        send(clients.again(items), retries - 1);
                    }
                });
            }
        });
    }
}
