package io.queenmq.engine.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queenmq.engine.config.EngineConfig;
import io.queenmq.engine.connection.Connection;
import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.harness.TestConfig;
import io.queenmq.engine.reply.Failure;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A command is the number of its shard. */
class ShardBatchesTest {
    private static final EngineConfig CONFIG = TestConfig.of(Map.of("DB_UNAVAILABLE_AFTER_MS", "3000")).engine();

    private final ManualClock clock = new ManualClock();
    private final Timers timers = new Timers(clock);
    private final Map<Integer, ScriptedSessions> nodes = new HashMap<>();
    private final ShardConnections connections = new ShardConnections(new Shards(3),
            (shard, _) -> nodes.computeIfAbsent(shard, _ -> new ScriptedSessions()), shard -> new Place("node", shard),
            Duration.ofSeconds(2), Duration.ofSeconds(10), timers);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Carried carrier = new Carried();
    private final ShardBatches<Integer, Integer> batches = ShardBatches.across(
            new EngineContext("api", connections, timers, CONFIG, new BatchMeters(meters)), Operation.TRANSACT,
            Durability.FLUSHED, shard -> shard, carrier);

    @Test
    void everyCommandIsSentToItsShard() {
        connections.open();
        batches.offer(0);
        batches.offer(2);
        batches.offer(2);
        batches.offer(ShardConnections.CATALOG);

        assertThat(nodes.get(0).calls()).hasSize(1);
        assertThat(nodes.get(1).calls()).isEmpty();
        assertThat(nodes.get(2).calls()).hasSize(2);
        assertThat(nodes.get(ShardConnections.CATALOG).calls()).hasSize(1);
    }

    @Test
    void anUnavailableShardRefusesOnlyItsCommands() {
        connections.of(0, Durability.FLUSHED);
        nodes.get(1).setReachable(false);
        connections.open();
        batches.offer(1);
        batches.offer(0);
        batches.offer(2);
        assertThat(carrier.settled).containsExactly(0, 2);
        assertThat(waiting()).as("the meter counts the requests of all shards").isEqualTo(1);
        clock.pass(3_500);

        assertThat(carrier.refused).containsOnlyKeys(1);
        assertThat(carrier.refused.get(1)).isInstanceOf(Failure.Unavailable.class);
        assertThat(waiting()).isZero();
    }

    @Test
    void aSlowShardDoesNotDelayOtherShards() {
        connections.open();
        nodes.get(1).answer((_, _) -> ScriptedSessions.silence());
        for (int i = 0; i < 50; i++) {
            batches.offer(1);
        }
        batches.offer(0);
        batches.offer(2);

        assertThat(carrier.settled).containsExactly(0, 2);
        assertThat(meters.get("queen.call.in.flight").tag("op", "transact").gauge().value()).isGreaterThan(0);
    }

    private double waiting() {
        return meters.get("queen.call.waiting").tag("op", "transact").gauge().value();
    }

    private static final class Carried implements Carrier<Integer, Integer> {
        private final List<Integer> settled = new ArrayList<>();
        private final Map<Integer, Failure> refused = new LinkedHashMap<>();

        @Override
        public Future<List<Integer>> carry(Connection connection, List<Integer> batch) {
            return connection.call("select work", Tuple.tuple()).map(batch);
        }

        @Override
        public void settle(Integer command, Integer answer) {
            settled.add(command);
        }

        @Override
        public void refuse(Integer command, Failure failure) {
            refused.put(command, failure);
        }
    }
}
