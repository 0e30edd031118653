package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredMessage;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.schema.Shards;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Producers without pauses, and a spool that must become empty again after an outage. */
class LeavingSpoolTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final int PRODUCERS = 4;

    private final World world = new World(1);
    private final Store store = new Store(Shards.ONE, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 1);
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("DB_UNAVAILABLE_AFTER_MS", "1000"), new MemorySpool());
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);
    private boolean isProducing = true;

    @Test
    void pushesOfBusyProducersReachPostgresAgainSoonAfterAnOutage() {
        server.start(() -> {});
        world.run(SECOND_NS);
        IntStream.range(0, PRODUCERS).forEach(producer -> produce(producer, 0));
        world.run(SECOND_NS);
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(2 * SECOND_NS);
        assertThat(server.engine().spool().pending()).isPositive();

        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.run(5 * SECOND_NS);
        assertThat(server.engine().spool().pending()).as("entries in the spool while producers push").isZero();
        assertThat(history.pushes().reversed().stream().filter(push -> push.outcomes != null).limit(100)
                .flatMap(push -> push.outcomes.stream())).hasOnlyElementsOfType(PushOutcome.Queued.class);

        isProducing = false;
        world.run(SECOND_NS);
        for (int producer = 0; producer < PRODUCERS; producer++) {
            List<String> stored = storedBy(producer);
            assertThat(stored).as("stored once, in the order of their pushes")
                    .isEqualTo(IntStream.range(0, stored.size()).mapToObj(Integer::toString).toList());
            assertThat(stored).hasSize(acceptedOf(producer));
        }
    }

    @Test
    void aPushWaitsAtMostASecondForASpoolThatDoesNotBecomeEmpty() {
        server.start(() -> {});
        world.run(SECOND_NS);
        push("stored");
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(SECOND_NS);
        assertThat(push("spooled")).isInstanceOf(PushOutcome.Buffered.class);

        store.locks().lockPartition(store.content().messages().keySet().iterator().next());
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.run(3 * SECOND_NS);
        assertThat(push("held")).as("its partition is locked, so the spooled message stays")
                .isInstanceOf(PushOutcome.Buffered.class);
        History.Request held = history.requests().getLast();
        assertThat(held.answeredNs - held.askedNs).isBetween(SECOND_NS, 2 * SECOND_NS);
    }

    private PushOutcome push(String transactionId) {
        PushOutcome[] outcome = new PushOutcome[1];
        clients.push(List.of(clients.item("orders", "p0", transactionId)),
                push -> outcome[0] = push.outcomes == null ? null : push.outcomes.getFirst());
        world.run(3 * SECOND_NS);
        return outcome[0];
    }

    /** Pushes the next message as soon as the one before is answered. */
    private void produce(int producer, int next) {
        clients.push(List.of(clients.item("orders", "p" + producer, Integer.toString(next))), push -> {
            if (isProducing) {
                world.after(100_000, () -> produce(producer, push.outcomes == null ? next : next + 1));
            }
        });
    }

    private List<String> storedBy(int producer) {
        return store.content().messages().values().stream().flatMap(List::stream)
                .filter(each -> each.partition().equals("p" + producer)).map(StoredMessage::transactionId).toList();
    }

    private int acceptedOf(int producer) {
        return (int) history.pushes().stream().filter(push -> push.outcomes != null)
                .filter(push -> push.items.getFirst().partition().equals("p" + producer)).count();
    }
}
