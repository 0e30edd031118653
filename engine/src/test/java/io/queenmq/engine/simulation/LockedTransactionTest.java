package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.PushItem;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredMessage;
import io.queenmq.schema.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions over several partitions, one of which another transaction of the database locks. */
class LockedTransactionTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long PROMPT_NS = SECOND_NS / 2;
    private static final long DEADLINE_NS = 3 * SECOND_NS;

    private final World world = new World(1);
    private final History history = new History();
    private Store store;
    private Clients clients;
    private String x;
    private String y;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void pushesToTheOtherPartitionDoNotWait(int shards) {
        start(shards);
        lock(y);
        for (int i = 0; i < 10; i++) {
            push(y);
            world.run(SECOND_NS / 10);
        }

        History.Push transaction = transact(x, y);
        List<History.Push> toX = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            // While another request always waits for the locked partition.
            push(y);
            toX.add(push(x));
            world.run(SECOND_NS / 10);
        }
        world.run(5 * SECOND_NS);

        assertThat(toX).allSatisfy(push -> assertStored(push, PROMPT_NS));
        assertThat(transaction.request.isAnswered()).isTrue();
        assertThat(transaction.request.failure).isInstanceOf(Failure.Overloaded.class);
        assertThat(transaction.request.failure.message()).contains("\"" + y + "\"", "locked by another transaction");
        assertThat(tookNs(transaction)).isBetween(DEADLINE_NS, DEADLINE_NS + SECOND_NS);
        assertThat(stored(transaction)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void pushesDoNotWaitForManyTransactions(int shards) {
        start(shards);
        lock(y);

        List<History.Push> transactions = new ArrayList<>();
        List<History.Push> toX = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            transactions.add(transact(x, y));
            toX.add(push(x));
            world.run(SECOND_NS / 50);
        }
        world.run(10 * SECOND_NS);

        assertThat(toX).allSatisfy(push -> assertStored(push, PROMPT_NS));
        assertThat(transactions).allSatisfy(each -> {
            assertThat(each.request.failure).isInstanceOf(Failure.Overloaded.class);
            assertThat(tookNs(each)).isLessThan(DEADLINE_NS + SECOND_NS);
            assertThat(stored(each)).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void transactionsAreStoredWhenTheLockIsReleased(int shards) {
        start(shards);
        lock(y);
        List<History.Push> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(transact(x, y));
            all.add(push(x));
            all.add(push(y));
            world.run(SECOND_NS / 20);
        }

        store.locks().unlockPartition(partition(y));
        world.run(5 * SECOND_NS);

        assertThat(all).allSatisfy(push -> assertStored(push, DEADLINE_NS));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void neitherTransactionsNorPushesAreStarved(int shards) {
        start(shards);
        List<History.Push> all = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            all.add(push(x));
            all.add(push(y));
            if (i % 60 == 0) {
                all.add(transact(x, y));
                all.add(transact(y, x));
            }
            world.run(SECOND_NS / 1_000);
        }
        world.run(5 * SECOND_NS);

        assertThat(all).allSatisfy(push -> assertStored(push, SECOND_NS));
    }

    private void start(int shards) {
        store = new Store(new Shards(shards), world::epochMicros);
        SimulatedServer server = new SimulatedServer(world, new SimulatedPostgres(world, store, shards),
                new SimulatedGroup(world), Map.of("DB_UNAVAILABLE_AFTER_MS", "3000"), null);
        clients = new Clients(world, history, () -> server, 60 * SECOND_NS);
        server.start(() -> {});
        world.run(2 * SECOND_NS);
        for (int i = 0; i < 20; i++) {
            push("partition-" + i);
        }
        world.run(2 * SECOND_NS);
        x = "partition-0";
        y = Arrays.stream(new int[]{1, 2, 3, 4, 5, 6, 7, 8, 9}).mapToObj(i -> "partition-" + i)
                .filter(each -> shards == 1 || shardOf(each, shards) != shardOf(x, shards)).findFirst().orElseThrow();
    }

    private int shardOf(String partition, int shards) {
        return new Shards(shards).of(partition(partition));
    }

    private UUID partition(String partition) {
        return store.content().partitionId("orders", partition);
    }

    private void lock(String partition) {
        store.locks().lockPartition(partition(partition));
    }

    private History.Push push(String partition) {
        clients.push(List.of(item(partition)), _ -> {});
        return history.pushes().getLast();
    }

    private History.Push transact(String... partitions) {
        clients.transact(Arrays.stream(partitions).map(this::item).toList(), _ -> {});
        return history.pushes().getLast();
    }

    private PushItem item(String partition) {
        return clients.item("orders", partition, "t-" + history.pushes().size() + "-" + partition);
    }

    private void assertStored(History.Push push, long withinNs) {
        assertThat(push.request.isAnswered()).isTrue();
        assertThat(push.request.failure).isNull();
        assertThat(push.outcomes).isNotNull().allMatch(PushOutcome.Queued.class::isInstance);
        assertThat(tookNs(push)).isLessThanOrEqualTo(withinNs);
        assertThat(stored(push)).isEqualTo(push.items.size());
    }

    private static long tookNs(History.Push push) {
        return push.request.answeredNs - push.request.askedNs;
    }

    private long stored(History.Push push) {
        List<UUID> ids = store.content().messages().values().stream().flatMap(List::stream)
                .map(StoredMessage::messageId).toList();
        return push.items.stream().filter(item -> ids.contains(item.messageId())).count();
    }
}
