package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.schema.Shards;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The responses to clients while PostgreSQL is unavailable for a long time, on the simulation's clock. */
class OutageTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final World world = new World(1);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, new Store(Shards.ONE, world::epochMicros),
            1);
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("SEGMENT_CACHE_BYTES", "0", "DB_UNAVAILABLE_AFTER_MS", "3000"), null);
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);

    @Test
    @DisplayName("a push fails in time while PostgreSQL is unavailable, even if many repeated pushes follow it")
    void repeatedPushesDelayNoOtherPush() {
        server.start(() -> {});
        world.run(SECOND_NS);
        push("known");
        world.run(SECOND_NS);
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);

        push("known");
        push("new");
        for (int i = 0; i < 40; i++) {
            world.run(SECOND_NS);
            push("known");
        }

        // A push waits for the query before it, but not for the queries of later pushes.
        History.Push overtaken = history.pushes().get(2);
        assertThat(overtaken.request.isAnswered()).isTrue();
        assertThat(overtaken.request.answeredNs - overtaken.request.askedNs).isLessThan(4 * SECOND_NS);
        assertThat(overtaken.outcomes).as("it is unknown whether it was stored").isNull();
    }

    private void push(String transactionId) {
        List<PushItem> items = List.of(clients.item("orders", "partition", transactionId));
        clients.push(items, _ -> {});
    }
}
