package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.schema.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a catalog that stays outdated however often it is read")
class OutdatedCatalogTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final World world = new World(1);
    private final Store store = new Store(Shards.ONE, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 1);
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("DB_UNAVAILABLE_AFTER_MS", "3000"), null);
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);

    OutdatedCatalogTest() {
        server.start(() -> {});
        world.run(SECOND_NS);
        push("before");
        world.run(SECOND_NS);
        store.operators().hideEncryptionEpoch(true);
        world.run(2 * SECOND_NS);
    }

    @Test
    void aPushFailsInTimeAndCausesFewCalls() {
        long eventsBefore = world.eventCount();
        push("after");
        world.run(10 * SECOND_NS);

        History.Push push = history.pushes().getLast();
        assertThat(push.request.answeredNs - push.request.askedNs).isBetween(3 * SECOND_NS, 5 * SECOND_NS);
        assertThat(push.request.failure.message()).contains("encryption epoch");
        assertThat(world.eventCount() - eventsBefore).as("ten seconds of little work").isLessThan(2_000);
    }

    @Test
    void pushesSucceedAsSoonAsTheCatalogIsCurrent() {
        push("after");
        world.run(SECOND_NS);
        store.operators().hideEncryptionEpoch(false);
        world.run(2 * SECOND_NS);

        assertThat(history.pushes().getLast().outcomes.getFirst()).isInstanceOf(PushOutcome.Queued.class);
    }

    @Test
    void aTransactionFailsInTime() {
        List<Clients.Popped> popped = new ArrayList<>();
        clients.pop(new PopCommand.Source.Queue("orders"), "group", 1, 1, false, Duration.ZERO, Long.MAX_VALUE / 2,
                popped::add);
        world.run(SECOND_NS);
        long askedNs = world.nowNs();
        List<Long> failedNs = new ArrayList<>();
        clients.transact(
                List.of(new TransactCommand.Operation.Ack(
                        Clients.ackItem(popped.getFirst().messages().getFirst(), AckItem.Status.COMPLETED)),
                        new TransactCommand.Operation.Push(clients.item("orders", "other", "made"))),
                List.of(popped.getFirst().leaseId()), _ -> {}, () -> failedNs.add(world.nowNs()));
        world.run(10 * SECOND_NS);

        assertThat(failedNs).hasSize(1);
        assertThat(failedNs.getFirst() - askedNs).isBetween(3 * SECOND_NS, 5 * SECOND_NS);
    }

    private void push(String transactionId) {
        clients.push(List.of(clients.item("orders", "partition", transactionId)), _ -> {});
    }
}
