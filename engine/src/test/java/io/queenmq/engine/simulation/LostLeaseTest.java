package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.ReleaseCommand;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.simulation.store.LeaseEnd;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.schema.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Leases whose outcome the server does not know, because the response to the call was lost, on the simulation's clock. */
class LostLeaseTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final Faults RESPONSE_LOST = new Faults(0, 1, 0, 0, 0);
    private static final Faults SILENT = new Faults(0, 0, 1, 0, 0);

    private final World world = new World(1);
    private final Store store = new Store(Shards.ONE, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 1);
    private final SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
            Map.of("DB_UNAVAILABLE_AFTER_MS", "3000"), null);
    private final History history = new History();
    private final Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);

    @BeforeEach
    void oneMessageIsWaiting() {
        server.start(() -> {});
        world.run(SECOND_NS);
        configure(60);
        // The partition and its cursor are known to the server before the fault occurs.
        pop(Duration.ZERO);
        world.run(SECOND_NS);
        clients.push(List.of(clients.item("orders", "partition", "m1")), _ -> {});
        world.run(SECOND_NS);
    }

    @Test
    @DisplayName("a lease whose response was lost before an outage is released when PostgreSQL is available again")
    void theResponseIsLostBeforeAnOutage() {
        loseResponseOfPop(Duration.ZERO);
        outage(8);
        assertThat(history.deliveries()).isEmpty();

        pop(Duration.ofSeconds(30));
        world.run(2 * SECOND_NS);

        assertThat(history.deliveries()).singleElement().satisfies(each -> assertThat(each.retryCount()).isZero());
    }

    @Test
    @DisplayName("a waiting pop whose lease response was lost receives the message when PostgreSQL is available again")
    void theResponseOfAWaitingPopIsLost() {
        loseResponseOfPop(Duration.ofSeconds(40));
        outage(8);
        world.run(2 * SECOND_NS);

        assertThat(history.deliveries()).hasSize(1);
    }

    @Test
    @DisplayName("a lease that was never delivered costs no attempt, even if it expires during the outage")
    void theLeaseExpiresDuringTheOutage() {
        configure(10);
        loseResponseOfPop(Duration.ZERO);
        outage(30);

        pop(Duration.ofSeconds(30));
        world.run(2 * SECOND_NS);

        assertThat(store.content().deadLetters()).isEmpty();
        assertThat(history.deliveries()).singleElement().satisfies(each -> assertThat(each.retryCount()).isZero());
    }

    @Test
    @DisplayName("a lease acquired by a silent connection is released after the session was ended")
    void silenceTheConnection() {
        postgres.meet(SILENT);
        pop(Duration.ZERO);
        postgres.meet(Faults.NONE);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.SILENT);
        world.run(30 * SECOND_NS);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.run(10 * SECOND_NS);

        pop(Duration.ofSeconds(30));
        world.run(2 * SECOND_NS);

        assertThat(history.deliveries()).singleElement().satisfies(each -> assertThat(each.retryCount()).isZero());
    }

    @Test
    @DisplayName("a lease of a client that disconnected during an outage is released when PostgreSQL is available again")
    void theClientDisconnectsDuringAnOutage() {
        pop(Duration.ZERO);
        world.runUntil(() -> !history.deliveries().isEmpty(), SECOND_NS);
        History.Delivery delivered = history.deliveries().removeFirst();
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        server.engine()
                .submit(new ReleaseCommand(delivered.leaseId(), delivered.group(), List.of(delivered.partitionId())));
        outage(20);

        pop(Duration.ofSeconds(30));
        world.run(2 * SECOND_NS);

        assertThat(history.deliveries()).singleElement().satisfies(each -> assertThat(each.retryCount()).isZero());
    }

    @Test
    @DisplayName("a server that stops releases the lease of a call in flight whose client has disconnected")
    void theServerStopsDuringALeaseCall() {
        postgres.meet(RESPONSE_LOST);
        clients.pop(new PopCommand.Source.Partition("orders", "partition"), "billing", 10, 1, false, Duration.ZERO, 1,
                _ -> {});
        world.runUntil(() -> !store.content().leases().isEmpty(), SECOND_NS);
        postgres.meet(Faults.NONE);

        server.engine().close();
        world.run(5 * SECOND_NS);

        assertThat(store.content().leases()).allSatisfy(lease -> assertThat(lease.how()).isEqualTo(LeaseEnd.RELEASED));
    }

    private void configure(int leaseTime) {
        QueueOptions options = QueueOptions.NONE.with(QueueOption.LEASE_TIME, leaseTime)
                .with(QueueOption.RETRY_LIMIT, 0).with(QueueOption.RETRY_DELAY, 600);
        server.engine().submit(new ConfigureCommand(null, true, "orders", null, null, options, Reply.ignored()));
        world.run(SECOND_NS);
    }

    /** The lease call is executed, and its connection breaks before the response arrives. */
    private void loseResponseOfPop(Duration wait) {
        postgres.meet(RESPONSE_LOST);
        pop(wait);
        world.runUntil(() -> !store.content().leases().isEmpty(), SECOND_NS);
        assertThat(store.content().leases()).hasSize(1);
        postgres.meet(Faults.NONE);
    }

    private void outage(int seconds) {
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(seconds * SECOND_NS);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.run(SECOND_NS);
    }

    private void pop(Duration wait) {
        clients.pop(new PopCommand.Source.Partition("orders", "partition"), "billing", 10, 1, false, wait,
                Long.MAX_VALUE / 2, _ -> {});
    }
}
