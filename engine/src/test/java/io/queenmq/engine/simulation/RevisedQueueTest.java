package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.simulation.store.SeekPlace;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.schema.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A queue that an operator changes while pops of its partitions wait for a lease call, on the simulation's clock. */
class RevisedQueueTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final Faults SILENT = new Faults(0, 0, 1, 0, 0);
    private static final Duration WAIT = Duration.ofSeconds(30);

    private final World world = new World(1);
    private final Store store = new Store(Shards.ONE, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 1);
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("MAX_CALLS_IN_FLIGHT", "1", "DB_STATEMENT_TIMEOUT", "5000"), null);
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);

    /** The server forgets that it requests the partition, so two pops request it in the same call. */
    @Test
    void aPartitionIsLeasedToOneOfTwoPopsInOneCall() {
        server.start(() -> {});
        world.run(SECOND_NS);
        push("read");
        push("unread");
        // Records the subscription of the group.
        pop("read", Duration.ZERO);
        world.run(SECOND_NS);

        // All later lease calls wait for this one.
        postgres.meet(SILENT);
        pop("read", WAIT);
        world.run(SECOND_NS / 1_000);
        postgres.meet(Faults.NONE);
        pop("unread", WAIT);
        world.run(SECOND_NS / 100);
        store.operators().seekQueue("billing", "orders", new SeekPlace.Beginning());
        world.run(3 * SECOND_NS);
        pop("unread", WAIT);
        world.run(30 * SECOND_NS);

        assertThat(store.content().leases()).filteredOn(lease -> lease.partitionId().equals(unread())).hasSize(1);
        assertThat(history.deliveries()).filteredOn(message -> message.partitionId().equals(unread())).hasSize(1);
    }

    private UUID unread() {
        return store.content().partitionId("orders", "unread");
    }

    private void push(String partition) {
        clients.push(List.of(clients.item("orders", partition, "t")), _ -> {});
        world.run(SECOND_NS);
    }

    private void pop(String partition, Duration wait) {
        clients.pop(new PopCommand.Source.Partition("orders", partition), "billing", 10, 1, false, wait,
                Long.MAX_VALUE / 2, _ -> {});
    }
}
