package io.queenmq.engine.simulation;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.TransactCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client that acknowledges a message and pushes another one for it, as one unit. It is the only consumer of its
 * group, so every message that it finishes has exactly one message in {@link #TARGET}.
 */
final class Transferrer {
    static final String TARGET = "transferred";

    private static final int RETRIES_MAX = 3;

    private final Simulation simulation;
    private final World world;
    private final Clients clients;

    Transferrer(Simulation simulation, Clients clients) {
        this.simulation = simulation;
        this.world = simulation.world();
        this.clients = clients;
    }

    void start() {
        world.after(world.someNs(0, 500_000_000), this::next);
    }

    static String transactionIdFor(History.Delivery message) {
        return transactionIdFor(message.messageId().toString());
    }

    static String transactionIdFor(String messageId) {
        return "for-" + messageId;
    }

    private void next() {
        if (simulation.isOver()) {
            return;
        }
        if (!simulation.hasServer()) {
            world.after(200_000_000, this::next);
            return;
        }
        boolean[] isAnswered = new boolean[1];
        clients.pop(new PopCommand.Source.Queue(simulation.anyQueue()), Plan.TRANSFER_GROUP,
                1 + world.random().nextInt(simulation.isQuiet() ? 30 : 3), 1 + world.random().nextInt(2), false,
                Duration.ofSeconds(1), Long.MAX_VALUE / 2, popped -> {
                    isAnswered[0] = true;
                    if (popped.messages().isEmpty()) {
                        world.after(world.someNs(1_000_000, 300_000_000), this::next);
                    } else {
                        world.after(someTime(100_000, 500_000_000), () -> {
                            transfer(popped, RETRIES_MAX);
                            world.after(someTime(1_000_000, 200_000_000), this::next);
                        });
                    }
                });
        world.after(41_000_000_000L, () -> {
            if (!isAnswered[0]) {
                next();
            }
        });
    }

    /** At the end all messages must be read in time, even with small pops. */
    private long someTime(long fromNs, long toNs) {
        return simulation.isQuiet() ? 1_000_000 : world.someNs(fromNs, toNs);
    }

    private void transfer(Clients.Popped popped, int retries) {
        List<TransactCommand.Operation> operations = new ArrayList<>();
        for (History.Delivery message : popped.messages()) {
            operations.add(new TransactCommand.Operation.Ack(Clients.ackItem(message, AckItem.Status.COMPLETED)));
            operations.add(new TransactCommand.Operation.Push(clients.item(TARGET,
                    "partition-" + Math.floorMod(message.transactionId().hashCode(), 3), transactionIdFor(message))));
        }
        clients.transact(operations, List.of(popped.leaseId()), _ -> {}, () -> {
            if (retries > 0) {
                world.after(world.someNs(1_000_000, 1_000_000_000), () -> transfer(popped, retries - 1));
            }
        });
    }
}
