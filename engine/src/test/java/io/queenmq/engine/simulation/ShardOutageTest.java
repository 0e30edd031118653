package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PushOutcome;
import io.queenmq.engine.command.TransactCommand;
import io.queenmq.engine.command.TransactOutcome;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.spool.MemorySpool;
import io.queenmq.schema.Shards;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The responses to clients while one of three shards is unavailable, on the simulation's clock. */
class ShardOutageTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final int AWAY = 1;

    private final Shards shards = new Shards(3);
    private final World world = new World(1);
    private final Store store = new Store(shards, world::epochMicros);
    private final SimulatedPostgres postgres = new SimulatedPostgres(world, store, 3);
    private final History history = new History();

    @Test
    void partitionsOfOtherShardsAreServedNormally() {
        SimulatedServer server = start(null);
        Clients clients = clientsOf(server);
        push(clients, partitions(0, 1, 2));
        disconnectShard();

        List<PushOutcome> pushed = push(clients, partitions(0, 2));
        assertThat(pushed).hasSize(partitions(0, 2).size()).allMatch(PushOutcome.Queued.class::isInstance);

        Set<String> seen = new HashSet<>();
        for (Clients.Popped popped = pop(clients); !popped.messages().isEmpty(); popped = pop(clients)) {
            popped.messages().forEach(message -> seen.add(message.transactionId()));
            ack(clients, popped);
        }
        assertThat(seen).as("two of each available partition").hasSize(2 * partitions(0, 2).size());
        assertThat(history.acks()).allMatch(ack -> Boolean.TRUE.equals(ack.isAccepted));
        assertThat(server.engine().status().isDatabaseConnected()).isTrue();
        assertThat(server.engine().status().shardProblems()).containsExactly("shard queen_01 cannot be reached");

        reconnectShard();
        assertThat(pop(clients).messages()).as("messages of the shard after its outage").isNotEmpty();
        assertThat(server.engine().status().shardProblems()).isEmpty();
    }

    /** Only a load of all partitions finds old messages, and a pop that does not wait is not woken by a later poll. */
    @Test
    void aNewServerFindsTheMessagesOfEveryShardAtOnce() {
        push(clientsOf(start(null)), partitions(0, 1, 2));
        world.run(600 * SECOND_NS);
        Clients clients = clientsOf(start(null));

        Set<Integer> found = new HashSet<>();
        for (Clients.Popped popped = pop(clients); !popped.messages().isEmpty(); popped = pop(clients)) {
            found.add(shards.of(popped.messages().getFirst().partitionId()));
        }
        assertThat(found).containsExactlyInAnyOrder(0, 1, 2);
    }

    @Test
    void waitingPopsAreWokenWhenTheShardIsAvailableAgain() {
        SimulatedServer server = start(null);
        Clients clients = clientsOf(server);
        push(clients, partitions(AWAY).subList(0, 1));
        disconnectShard();

        List<Clients.Popped> answers = new ArrayList<>();
        clients.pop(new PopCommand.Source.Queue("orders"), "billing", 10, 3, false, Duration.ofSeconds(60),
                Long.MAX_VALUE / 2, answers::add);
        world.run(20 * SECOND_NS);
        assertThat(answers).isEmpty();

        reconnectShard();
        assertThat(answers).singleElement().satisfies(popped -> assertThat(popped.messages()).hasSize(1));
    }

    @Test
    void requestsForUnavailablePartitionsFail() {
        SimulatedServer server = start(null);
        Clients clients = clientsOf(server);
        push(clients, partitions(0, 1, 2));
        disconnectShard();

        assertThat(push(clients, partitions(AWAY))).isNull();
        assertThat(history.requests().getLast().failure).isInstanceOf(Failure.Unavailable.class);
    }

    @Test
    void pushesToUnavailablePartitionsAreSpooledAndDrained() {
        SimulatedServer server = start(new MemorySpool());
        Clients clients = clientsOf(server);
        push(clients, partitions(0, 1, 2));
        postgres.endAllSessions();
        postgres.setConnectResult(SimulatedPostgres.ConnectResult.REFUSED);
        world.run(SECOND_NS);
        assertThat(push(clients, partitions(0, 1, 2))).allMatch(PushOutcome.Buffered.class::isInstance);

        postgres.setConnectResult(SimulatedPostgres.ConnectResult.OPEN);
        postgres.setConnectResult(AWAY, SimulatedPostgres.ConnectResult.REFUSED);
        world.run(10 * SECOND_NS);
        assertThat(server.engine().spool().pending()).as("only messages of the unavailable shard")
                .isEqualTo(partitions(AWAY).size());
        assertThat(push(clients, partitions(AWAY))).allMatch(PushOutcome.Buffered.class::isInstance);
        assertThat(push(clients, partitions(0, 2))).allMatch(PushOutcome.Queued.class::isInstance);

        reconnectShard();
        assertThat(server.engine().spool().pending()).isZero();
        assertThat(store.content().messages().values()).allMatch(partition -> partition.size() == 3);
    }

    @Test
    void aServerStartsWhileAShardIsUnavailable() {
        SimulatedServer first = start(null);
        push(clientsOf(first), partitions(0, 1, 2));
        postgres.setConnectResult(AWAY, SimulatedPostgres.ConnectResult.REFUSED);
        SimulatedServer second = start(null);
        assertThat(second.isServing()).as("it waits briefly for the shard").isFalse();
        world.run(6 * SECOND_NS);

        assertThat(second.isServing()).isTrue();
        assertThat(push(clientsOf(second), partitions(0, 2))).allMatch(PushOutcome.Queued.class::isInstance);
    }

    @Test
    void aTransactionOverShardsTakesEffectAsAWholeOrNotAtAll() {
        SimulatedServer server = start(null);
        Clients clients = clientsOf(server);
        push(clients, partitions(0, 1, 2));

        assertThat(transact(clients, partitions(0, 1, 2))).isInstanceOf(TransactOutcome.Committed.class);
        disconnectShard();
        assertThat(transact(clients, partitions(0, 1, 2))).as("unknown outcome").isNull();
        assertThat(transact(clients, partitions(0, 2))).isInstanceOf(TransactOutcome.Committed.class);

        for (String partition : partitions(0, 1, 2)) {
            int expected = shardOf(partition) == AWAY ? 2 : 3;
            assertThat(store.content().messages().get(store.content().partitionId("orders", partition)))
                    .hasSize(expected);
        }
    }

    /** The outage begins at each moment of a transaction that another server overtook in the shard. */
    @Test
    void aTransactionThatMustCatchUpWithAnUnreachableShardKeepsNoPartitionOfOtherShards() {
        Clients clients = clientsOf(start(null));
        Clients others = clientsOf(start(null));
        String away = partitions(AWAY).getFirst();
        String reachable = partitions(0).getFirst();
        for (long delayNs = 0; delayNs < 60_000_000; delayNs += 2_000_000) {
            push(clients, List.of(away, reachable));
            push(others, List.of(away));
            clients.transact(
                    List.of(away, reachable)
                            .stream().<TransactCommand.Operation>map(partition -> new TransactCommand.Operation.Push(
                                    clients.item("orders", partition, partition + "-" + world.nowNs())))
                            .toList(),
                    List.of(), _ -> {}, () -> {});
            world.run(delayNs);
            postgres.endSessions(AWAY);
            postgres.setConnectResult(AWAY, SimulatedPostgres.ConnectResult.REFUSED);

            push(clients, List.of(reachable));
            History.Request request = history.pushes().getLast().request;
            assertThat(request.answeredNs - request.askedNs).as("outage after %s ns", delayNs).isLessThan(SECOND_NS);
            reconnectShard();
        }
    }

    private SimulatedServer start(MemorySpool spool) {
        SimulatedServer server = new SimulatedServer(world, postgres, new SimulatedGroup(world),
                Map.of("DB_UNAVAILABLE_AFTER_MS", "3000"), spool);
        server.start(() -> {});
        world.run(SECOND_NS);
        server.engine()
                .submit(new ConfigureCommand(null, true, "orders", null, null, QueueOptions.NONE, Reply.ignored()));
        world.run(SECOND_NS);
        return server;
    }

    private Clients clientsOf(SimulatedServer server) {
        return new Clients(world, history, () -> server, 60 * SECOND_NS);
    }

    private void disconnectShard() {
        postgres.endSessions(AWAY);
        postgres.setConnectResult(AWAY, SimulatedPostgres.ConnectResult.REFUSED);
        world.run(SECOND_NS);
    }

    private void reconnectShard() {
        postgres.setConnectResult(AWAY, SimulatedPostgres.ConnectResult.OPEN);
        world.run(5 * SECOND_NS);
    }

    /** Returns some partitions of these shards. */
    private List<String> partitions(int... ofShards) {
        return IntStream.range(0, 12).mapToObj(i -> "partition-" + i)
                .filter(partition -> IntStream.of(ofShards).anyMatch(shard -> shard == shardOf(partition))).toList();
    }

    private int shardOf(String partition) {
        return shards.of(store.content().partitionId("orders", partition));
    }

    /** Pushes one message to each partition. Returns null if the outcome is unknown. */
    private List<PushOutcome> push(Clients clients, List<String> partitions) {
        List<List<PushOutcome>> outcomes = new ArrayList<>();
        clients.push(partitions.stream()
                .map(partition -> clients.item("orders", partition, partition + "-" + world.nowNs())).toList(),
                push -> outcomes.add(push.outcomes));
        world.run(5 * SECOND_NS);
        assertThat(outcomes).hasSize(1);
        return outcomes.getFirst();
    }

    private Clients.Popped pop(Clients clients) {
        List<Clients.Popped> answers = new ArrayList<>();
        clients.pop(new PopCommand.Source.Queue("orders"), "billing", 100, 2, false, Duration.ZERO, Long.MAX_VALUE / 2,
                answers::add);
        world.run(SECOND_NS);
        assertThat(answers).as("an answer within a second").hasSize(1);
        Set<Integer> found = new HashSet<>();
        answers.getFirst().messages().forEach(message -> found.add(shards.of(message.partitionId())));
        assertThat(found).as("shards of one answer").hasSizeLessThanOrEqualTo(1);
        answers.getFirst().messages().forEach(
                message -> assertThat(shards.of(message.leaseId())).isEqualTo(shards.of(message.partitionId())));
        return answers.getFirst();
    }

    private void ack(Clients clients, Clients.Popped popped) {
        clients.ack(popped.messages(),
                popped.messages().stream().map(message -> Clients.ackItem(message, AckItem.Status.COMPLETED)).toList(),
                () -> {});
        world.run(SECOND_NS);
    }

    private TransactOutcome transact(Clients clients, List<String> partitions) {
        TransactOutcome[] transacted = new TransactOutcome[1];
        List<TransactCommand.Operation> operations = new ArrayList<>();
        partitions.forEach(partition -> operations.add(new TransactCommand.Operation.Push(
                clients.item("orders", partition, partition + "-" + world.nowNs()))));
        clients.transact(operations, List.of(), outcome -> transacted[0] = outcome, () -> {});
        world.run(10 * SECOND_NS);
        assertThat(history.requests().getLast().isAnswered()).isTrue();
        return transacted[0];
    }
}
