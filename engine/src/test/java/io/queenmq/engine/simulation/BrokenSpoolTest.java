package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The responses to clients while PostgreSQL is unavailable and the disk of the server fails, on the simulation's clock. */
class BrokenSpoolTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final World world = new World(1);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, new Store(Shards.ONE, world::epochMicros),
            1);
    private final MemorySpool spool = new MemorySpool();
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("DB_UNAVAILABLE_AFTER_MS", "1000"), spool);
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);

    @Test
    void pushesFailUntilTheDiskWorksAgain() {
        server.start(() -> {});
        world.run(SECOND_NS);
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(SECOND_NS);
        assertThat(push("before")).isInstanceOf(PushOutcome.Buffered.class);

        spool.fail();
        assertThat(push("during")).as("unknown outcome, so 503").isNull();
        assertThat(push("also during")).isNull();
        assertThat(server.engine().spool().state()).isEqualTo(SpoolStatus.State.BROKEN);
        assertThat(server.engine().spool().error()).contains("Input/output error");
        assertThat(server.engine().spool().pending()).isEqualTo(1);

        spool.heal();
        world.run(10 * SECOND_NS);
        assertThat(server.engine().spool().state()).isEqualTo(SpoolStatus.State.READY);
        assertThat(push("after")).isInstanceOf(PushOutcome.Buffered.class);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.run(5 * SECOND_NS);
        assertThat(server.engine().spool().pending()).isZero();
        assertThat(push("later")).isInstanceOf(PushOutcome.Queued.class);
    }

    @Test
    void aFullDiskIsOneStateUntilItHasFreeSpaceAgain() {
        server.start(() -> {});
        world.run(SECOND_NS);

        spool.limit(100);
        world.run(15 * SECOND_NS);
        assertThat(server.engine().spool().state()).as("detected without a push").isEqualTo(SpoolStatus.State.BROKEN);
        assertThat(server.engine().spool().error()).contains("No space left on device");
        List<SpoolStatus.State> states = statesDuring(30);
        assertThat(states).containsOnly(SpoolStatus.State.BROKEN);

        spool.heal();
        world.run(3 * SECOND_NS);
        assertThat(server.engine().spool().state()).as("one success is not sufficient")
                .isEqualTo(SpoolStatus.State.BROKEN);
        world.run(5 * SECOND_NS);
        assertThat(server.engine().spool().state()).isEqualTo(SpoolStatus.State.READY);
        assertThat(statesDuring(30)).containsOnly(SpoolStatus.State.READY);
    }

    private List<SpoolStatus.State> statesDuring(int seconds) {
        List<SpoolStatus.State> states = new ArrayList<>();
        for (int i = 0; i < 10 * seconds; i++) {
            world.run(SECOND_NS / 10);
            states.add(server.engine().spool().state());
        }
        return states;
    }

    private PushOutcome push(String transactionId) {
        List<PushItem> items = List.of(clients.item("orders", "partition", transactionId));
        PushOutcome[] outcome = new PushOutcome[1];
        clients.push(items, push -> outcome[0] = push.outcomes == null ? null : push.outcomes.getFirst());
        world.run(5 * SECOND_NS);
        assertThat(history.requests().getLast().isAnswered()).isTrue();
        return outcome[0];
    }
}
