package io.queenmq.engine.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.queenmq.engine.command.AckItem;
import io.queenmq.engine.command.ConfigureCommand;
import io.queenmq.engine.command.PopCommand;
import io.queenmq.engine.command.PopCommand.Source;
import io.queenmq.engine.queue.QueueOption;
import io.queenmq.engine.queue.QueueOptions;
import io.queenmq.engine.reply.Reply;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.schema.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A completed pop, an acknowledged lease and a disconnected client leave no entry in any structure of a server. */
class LeftoverEntriesTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long NEVER_NS = Long.MAX_VALUE / 2;
    private static final int DAY_S = 86_400;
    /** Allows for timers of periodic tasks. */
    private static final int TIMERS_SLACK = 5;

    private final World world = new World(1);
    private final History history = new History();
    private SimulatedServer server;
    private Clients clients;

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shortPollsBesideALongOne(int shards) {
        start(shards, "quiet");
        pop(new Source.Queue("quiet"), "g", Duration.ofMinutes(10), NEVER_NS);
        pop(new Source.Filter("", ""), "g", Duration.ofMinutes(10), NEVER_NS);
        world.run(5 * SECOND_NS);
        double timers = sum("queen.timers");

        poll(500, _ -> new Source.Queue("quiet"));
        poll(500, _ -> new Source.Filter("", ""));

        assertThat(sum("queen.pop.parked")).isEqualTo(2);
        assertThat(sum("queen.pop.waiting.entries")).isEqualTo(2);
        assertThat(sum("queen.timers")).isLessThanOrEqualTo(timers + TIMERS_SLACK);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void pollsForDistinctPartitions(int shards) {
        start(shards, "quiet");
        double timers = sum("queen.timers");

        poll(500, i -> new Source.Partition("quiet", "partition-" + i));

        assertNoEntries(timers);
        assertThat(sum("queen.pop.backlogs")).isOne();
    }

    @Test
    void pollsForQueuesThatDoNotExist() {
        start(1, "quiet");
        double timers = sum("queen.timers");

        poll(500, i -> i % 2 == 0 ? new Source.Queue("absent-" + i) : new Source.Partition("absent-" + i, "a"));

        assertNoEntries(timers);
        assertThat(sum("queen.pop.backlogs")).isZero();
    }

    @Test
    void pollsForAPausedQueue() {
        Store store = start(1, "quiet");
        store.operators().pauseQueue("quiet", true);
        world.run(2 * SECOND_NS);
        double timers = sum("queen.timers");

        poll(500, i -> i % 2 == 0 ? new Source.Queue("quiet") : new Source.Partition("quiet", "partition-" + i));

        assertNoEntries(timers);
    }

    @Test
    void groupsThatPollOnce() {
        start(1, "quiet");
        double timers = sum("queen.timers");

        for (int i = 0; i < 6_000; i++) {
            pop(new Source.Queue("quiet"), "group-" + i, Duration.ofMillis(5), NEVER_NS);
            world.run(SECOND_NS / 100);
        }
        world.run(5 * SECOND_NS);

        assertNoEntries(timers);
        assertThat(sum("queen.pop.backlogs")).isLessThan(3_000);
        world.run(700 * SECOND_NS);
        assertThat(sum("queen.pop.backlogs")).isZero();
    }

    @Test
    void clientsThatDisconnect() {
        start(1, "quiet");
        double timers = sum("queen.timers");

        for (int i = 0; i < 300; i++) {
            pop(new Source.Queue("quiet"), "g", Duration.ofHours(1), SECOND_NS / 100);
            pop(new Source.Partition("quiet", "partition-" + i), "g", Duration.ofHours(1), SECOND_NS / 100);
            pop(new Source.Filter("", ""), "g", Duration.ofHours(1), SECOND_NS / 100);
        }
        world.run(5 * SECOND_NS);

        assertNoEntries(timers);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void leasesThatWereAcknowledged(int shards) {
        start(shards, "orders");
        double timers = sum("queen.timers");

        for (int i = 0; i < 300; i++) {
            String partition = "partition-" + i;
            clients.push(List.of(clients.item("orders", partition, "t-" + i)), _ -> {});
            world.run(SECOND_NS / 10);
            Source source = i % 2 == 0 ? new Source.Partition("orders", partition) : new Source.Queue("orders");
            clients.pop(source, "g", 10, 1, false, Duration.ZERO, NEVER_NS, popped -> clients.ack(popped.messages(),
                    popped.messages().stream().map(each -> Clients.ackItem(each, AckItem.Status.COMPLETED)).toList(),
                    () -> {}));
            world.run(SECOND_NS / 10);
        }
        world.run(5 * SECOND_NS);

        assertThat(history.acks()).hasSize(300).allMatch(ack -> Boolean.TRUE.equals(ack.isAccepted));
        assertNoEntries(timers);
        assertThat(sum("queen.leases")).isZero();
        assertThat(sum("queen.segment.cache.bytes")).isZero();
    }

    private void assertNoEntries(double timersBefore) {
        assertThat(sum("queen.pop.parked")).as("waiting pops").isZero();
        assertThat(sum("queen.pop.waiting.entries")).as("entries of waiting pops").isZero();
        assertThat(sum("queen.pop.waiting.partitions")).as("partitions waited for").isZero();
        assertThat(sum("queen.pop.partitions")).as("partitions in memory").isZero();
        assertThat(sum("queen.timers")).as("timers").isLessThanOrEqualTo(timersBefore + TIMERS_SLACK);
    }

    private Store start(int shards, String queue) {
        Store store = new Store(new Shards(shards), world::epochMicros);
        server = new SimulatedServer(world, new SimulatedPostgres(world, store, shards), new SimulatedGroup(world),
                Map.of(), null);
        clients = new Clients(world, history, () -> server, 60 * SECOND_NS);
        server.start(() -> {});
        world.run(2 * SECOND_NS);
        server.engine().submit(new ConfigureCommand(null, true, queue, null, null,
                QueueOptions.NONE.with(QueueOption.LEASE_TIME, DAY_S), Reply.ignored()));
        world.run(5 * SECOND_NS);
        return store;
    }

    /** Executes short waiting pops, one after the other. */
    private void poll(int count, IntFunction<Source> source) {
        for (int i = 0; i < count; i++) {
            pop(source.apply(i), "g", Duration.ofMillis(5), NEVER_NS);
            world.run(SECOND_NS / 50);
        }
        world.run(5 * SECOND_NS);
    }

    private void pop(PopCommand.Source source, String group, Duration wait, long goneAfterNs) {
        clients.pop(source, group, 1, 1, false, wait, goneAfterNs, _ -> {});
    }

    private double sum(String gauge) {
        return server.gauges(gauge).stream().mapToDouble(Gauge::value).sum();
    }
}
