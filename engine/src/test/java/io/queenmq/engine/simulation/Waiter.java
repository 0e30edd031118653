package io.queenmq.engine.simulation;

import io.queenmq.engine.command.PopCommand;
import java.time.Duration;

/**
 * A client that keeps a pop with a long timeout waiting on a queue without messages, and sends short polls beside it: to the
 * same queue, to partitions that nothing is pushed to, and to queues that do not exist. None of them may leave an entry.
 */
final class Waiter {
    static final String QUEUE = "silent";

    private static final String GROUP = "watchers";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long NEVER_NS = Long.MAX_VALUE / 2;

    private final Simulation simulation;
    private final World world;
    private final Clients clients;
    private int number;

    Waiter(Simulation simulation, Clients clients) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.clients = clients;
    }

    void start() {
        world.after(world.someNs(0, 500_000_000), this::waitLong);
        world.after(world.someNs(0, 500_000_000), this::poll);
    }

    private void waitLong() {
        if (simulation.isOver()) {
            return;
        }
        clients.pop(new PopCommand.Source.Queue(QUEUE), GROUP, 1, 1, false, LONG, NEVER_NS, _ -> {});
        // Repeated before the last one ends, and also after a crash of its server.
        world.after(LONG.toNanos() / 2, this::waitLong);
    }

    private void poll() {
        if (simulation.isQuiet()) {
            return;
        }
        PopCommand.Source source = switch (world.random().nextInt(3)) {
            case 0 -> new PopCommand.Source.Queue(QUEUE);
            case 1 -> new PopCommand.Source.Partition(QUEUE, "partition-" + number++);
            default -> new PopCommand.Source.Queue("absent-" + number++);
        };
        Duration wait = Duration.ofMillis(world.random().nextInt(200));
        clients.pop(source, GROUP, 1, 1, false, wait, world.happens(0.2) ? wait.toNanos() / 2 : NEVER_NS, _ -> {});
        world.after(world.someNs(10_000_000, 500_000_000), this::poll);
    }
}
