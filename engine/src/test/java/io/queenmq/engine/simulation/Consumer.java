package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PopCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client that pops messages and acknowledges them, most of them as completed. */
final class Consumer {
    private static final long NEVER_NS = Long.MAX_VALUE / 2;
    private static final int RETRIES_MAX = 3;

    private final Simulation simulation;
    private final World world;
    private final Clients clients;

    Consumer(Simulation simulation, Clients clients) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.clients = clients;
    }

    void start() {
        world.after(world.someNs(0, 500_000_000), this::next);
    }

    private void next() {
        if (simulation.isOver()) {
            return;
        }
        if (!simulation.hasServer()) {
            world.after(200_000_000, this::next);
            return;
        }
        boolean isQuiet = simulation.isQuiet();
        String queue = simulation.anyQueue();
        PopCommand.Source source = world.happens(0.3)
                ? new PopCommand.Source.Partition(queue, simulation.anyPartition())
                : new PopCommand.Source.Queue(queue);
        // At the end all messages must be read in time, even with small pops.
        Duration wait = Duration.ofMillis(world.happens(0.5) ? 0 : world.random().nextInt(isQuiet ? 300 : 5_000));
        long goneAfterNs = !isQuiet && world.happens(0.1) ? world.someNs(0, 1_000_000_000) : NEVER_NS;
        boolean[] isAnswered = new boolean[1];
        clients.pop(source, simulation.anyGroup(), 1 + world.random().nextInt(isQuiet ? 100 : 10),
                1 + world.random().nextInt(3), false, wait, goneAfterNs, popped -> {
                    isAnswered[0] = true;
                    handle(popped);
                });
        // Clients of a crashed server get no response and use another server.
        world.after(wait.toNanos() + 40_000_000_000L, () -> {
            if (!isAnswered[0]) {
                next();
            }
        });
    }

    private void handle(Clients.Popped popped) {
        if (popped.messages().isEmpty()) {
            world.after(world.someNs(1_000_000, 500_000_000), this::next);
            return;
        }
        boolean isQuiet = simulation.isQuiet();
        if (!isQuiet && world.happens(0.05)) {
            // The consumer crashes with unacknowledged messages.
            world.after(world.someNs(1_000_000, 3_000_000_000L), this::next);
            return;
        }
        if (!isQuiet && world.happens(0.05)) {
            clients.renew(popped.leaseId());
        }
        world.after(isQuiet ? 1_000_000 : world.someNs(100_000, 4_000_000_000L), () -> acknowledge(popped, isQuiet));
    }

    private void acknowledge(Clients.Popped popped, boolean isQuiet) {
        List<History.Delivery> messages = new ArrayList<>();
        List<AckItem> items = new ArrayList<>();
        boolean isTroubled = !isQuiet && world.happens(0.25);
        for (History.Delivery message : popped.messages()) {
            AckItem.Status status = AckItem.Status.COMPLETED;
            if (isTroubled && world.happens(0.4)) {
                status = world.happens(0.6)
                        ? AckItem.Status.FAILED
                        : world.happens(0.8) ? AckItem.Status.RETRY : AckItem.Status.DLQ;
            }
            if (!isTroubled || world.happens(0.95)) {
                messages.add(message);
                items.add(Clients.ackItem(message, status));
            }
        }
        int half = items.size() > 1 && world.happens(0.3) ? items.size() / 2 : items.size();
        if (!items.isEmpty()) {
            send(messages.subList(0, half), items.subList(0, half), RETRIES_MAX);
            if (half < items.size()) {
                send(messages.subList(half, items.size()), items.subList(half, items.size()), RETRIES_MAX);
            }
        }
        world.after(world.someNs(100_000, 50_000_000), this::next);
    }

    private void send(List<History.Delivery> messages, List<AckItem> items, int retries) {
        clients.ack(messages, items, () -> {
            if (retries > 0) {
                world.after(world.someNs(1_000_000, 1_000_000_000), () -> send(messages, items, retries - 1));
            }
        });
    }
}
