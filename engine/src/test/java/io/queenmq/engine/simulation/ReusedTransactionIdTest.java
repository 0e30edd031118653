package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredMessage;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule of duplicates, on servers whose clocks are wrong by hours and jump, with and without a spool. */
class ReusedTransactionIdTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final World world = new World(1);
    private final Store store = new Store(Shards.ONE, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 1);
    private final SimulatedGroup group = new SimulatedGroup(world);
    private final History history = new History();
    private final MemorySpool disk = new MemorySpool();
    private SimulatedServer server = start(disk);

    private SimulatedServer start(MemorySpool spool) {
        SimulatedServer started = new SimulatedServer(world, postgres, group, Map.of("DB_UNAVAILABLE_AFTER_MS", "1000"),
                spool);
        started.start(() -> {});
        seconds(2);
        return started;
    }

    @Test
    void withoutAWindowNothingIsADuplicate() {
        configure(0);

        assertThat(push(server, "a", "a")).containsExactly("Queued", "Queued");
        assertThat(push(server, "a")).containsExactly("Queued");
        assertThat(stored()).containsExactly("a", "a", "a");
    }

    @Test
    void aMessageIsStoredOnceThoughTheResponseIsLostAndThereIsNoWindow() {
        configure(0);
        push(server, "first");
        for (int i = 0; i < 40; i++) {
            postgres.meet(new Faults(0, 0.5, 0, 0, 0));
            push(server, "a", "b");
        }
        postgres.meet(Faults.NONE);
        reconnect();

        assertThat(stored()).hasSize(81);
    }

    /** Storing the message again would deliver it twice. */
    @Test
    void aMessageThatIsRemovedBeforeTheOutcomeIsKnownIsNotStoredAgain() {
        server = start(null);
        push(server, "first");

        assertThat(pushAndRemove("a").outcomes).isNull();
        assertThat(stored()).containsExactly("first", "a");
        assertThat(push(server, "b")).containsExactly("Queued");
    }

    @Test
    void theFirstMessageOfAPartitionThatIsRemovedBeforeTheOutcomeIsKnownIsNotStoredAgain() {
        server = start(null);
        configure(3_600);

        assertThat(pushAndRemove("a").outcomes).isNull();
        assertThat(stored()).containsExactly("a");
        assertThat(push(server, "b")).containsExactly("Queued");
    }

    /** Pushes a message, loses the response, and removes all messages before the server can repeat the call. */
    private History.Push pushAndRemove(String transactionId) {
        int storedBefore = stored().size();
        postgres.meet(new Faults(0, 1, 0, 0, 0));
        Clients clients = new Clients(world, history, () -> server, 60 * SECOND_NS);
        List<History.Push> completed = new ArrayList<>();
        clients.push(List.of(clients.item("orders", "partition", transactionId)), completed::add);
        world.runUntil(() -> stored().size() > storedBefore, 10 * SECOND_NS);
        store.upkeep().trim(store.content().partitionId("orders", "partition"), storedBefore + 1);
        postgres.meet(Faults.NONE);
        world.runUntil(() -> !completed.isEmpty(), 30 * SECOND_NS);
        return completed.getFirst();
    }

    @Test
    void theWindowEndsInAnIdlePartition() {
        configure(3);

        assertThat(push(server, "a")).containsExactly("Queued");
        seconds(2);
        assertThat(push(server, "a")).containsExactly("Duplicate");
        seconds(2);
        assertThat(push(server, "a")).as("a duplicate does not extend the window").containsExactly("Queued");
        seconds(2);
        assertThat(push(server, "a")).containsExactly("Duplicate");
    }

    @Test
    void everyServerDecidesInTheSameWay() {
        configure(3);
        SimulatedServer other = start(null);

        assertThat(push(server, "a")).containsExactly("Queued");
        seconds(1);
        assertThat(push(other, "a")).containsExactly("Duplicate");
        seconds(3);
        assertThat(push(other, "a")).containsExactly("Queued");
        assertThat(push(server, "a")).containsExactly("Duplicate");
    }

    @Test
    void aChangedWindowTakesEffectOnEveryServer() {
        configure(100);
        SimulatedServer other = start(null);
        push(server, "a");
        push(other, "b");
        seconds(10);

        configure(5);
        seconds(2);
        assertThat(push(other, "a")).containsExactly("Queued");
        assertThat(push(server, "b")).containsExactly("Queued");
        seconds(10);

        configure(100);
        seconds(2);
        assertThat(push(server, "a")).containsExactly("Duplicate");
        assertThat(push(other, "b")).containsExactly("Duplicate");
    }

    @Test
    void everyMessageOfTheSpoolIsStoredThatWasAcceptedOutsideTheWindow() {
        configure(5);
        disconnect();
        for (int i = 0; i < 4; i++) {
            assertThat(push(server, "a")).containsExactly("Buffered");
            seconds(4);
        }
        reconnect();

        // Accepted after 0 and 8 seconds: those after 4 and 12 seconds are their duplicates.
        assertThat(stored()).containsExactly("a", "a");
    }

    @Test
    void withoutAWindowEveryMessageOfTheSpoolIsStored() {
        configure(0);
        disconnect();
        push(server, "a");
        push(server, "a", "a");
        reconnect();

        assertThat(stored()).containsExactly("a", "a", "a");
    }

    @Test
    void aMessageOfTheSpoolIsADuplicateOfOneThatAnotherServerStoredWithinTheWindow() {
        configure(5);
        SimulatedServer other = start(null);
        push(other, "before", "long before");
        seconds(4);
        disconnect();
        push(server, "before", "after", "long after");
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        // The spool is not drained yet while pushes are switched off.
        seconds(2);
        reconnect();
        assertThat(stored()).containsExactly("before", "long before", "after", "long after");

        assertThat(push(other, "after")).containsExactly("Duplicate");
        seconds(5);
        assertThat(push(other, "after")).as("the window counts from the acceptance").containsExactly("Queued");
    }

    @Test
    void theWindowOfAMessageFromTheSpoolCountsFromItsAcceptance() {
        configure(5);
        disconnect();
        push(server, "a");
        seconds(6);
        reconnect();

        assertThat(push(server, "a")).containsExactly("Queued");
        assertThat(push(server, "a")).containsExactly("Duplicate");
        assertThat(stored()).containsExactly("a", "a");
    }

    @Test
    void drainingLoadsNoWindow() {
        configure(3_600);
        for (int i = 0; i < 50; i++) {
            push(server, Collections.nCopies(20, "m" + i).stream().map(each -> each + "-" + world.random().nextInt())
                    .toArray(String[]::new));
        }
        push(server, "known");
        disconnect();
        push(server, "known", "new");
        server.crash();
        world.run(SECOND_NS);
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        long loadedBefore = store.loadedHashes();
        server = start(disk);
        seconds(20);

        assertThat(stored().subList(1_000, stored().size())).containsExactly("known", "new");
        assertThat(store.loadedHashes()).as("hashes loaded to drain").isEqualTo(loadedBefore);

        assertThat(push(server, "new")).containsExactly("Duplicate");
        assertThat(store.loadedHashes()).as("hashes loaded to push").isEqualTo(loadedBefore + 1_002);
    }

    private void configure(int windowSeconds) {
        QueueOptions options = QueueOptions.NONE.with(QueueOption.DEDUP_WINDOW, windowSeconds);
        server.engine().submit(new ConfigureCommand(null, true, "orders", null, null, options, Reply.ignored()));
        seconds(1);
    }

    private void disconnect() {
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(SECOND_NS / 10);
    }

    private void reconnect() {
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        world.runUntil(() -> server.engine().spool().pending() == 0, 20 * SECOND_NS);
        assertThat(server.engine().spool().pending()).isZero();
    }

    /** Returns the outcomes when the request is answered. */
    private List<String> push(SimulatedServer target, String... transactionIds) {
        Clients clients = new Clients(world, history, () -> target, 60 * SECOND_NS);
        List<PushItem> items = new ArrayList<>();
        for (String each : transactionIds) {
            items.add(clients.item("orders", "partition", each));
        }
        List<PushOutcome> outcomes = new ArrayList<>();
        clients.push(items, push -> outcomes.addAll(push.outcomes));
        world.runUntil(() -> !outcomes.isEmpty(), 30 * SECOND_NS);
        return outcomes.stream().map(outcome -> outcome.getClass().getSimpleName()).toList();
    }

    private List<String> stored() {
        return store.content().messages().values().stream().flatMap(List::stream).map(StoredMessage::transactionId)
                .toList();
    }

    private void seconds(int seconds) {
        world.run(seconds * SECOND_NS);
    }
}
