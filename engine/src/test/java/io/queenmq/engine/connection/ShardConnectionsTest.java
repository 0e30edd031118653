package io.queenmq.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.simulation.store.StoredRowSet;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShardConnectionsTest {
    private static final String WORK = "select work";

    private final ManualClock clock = new ManualClock();
    private final Map<Integer, ScriptedSessions> nodes = new HashMap<>();

    @Test
    void withOneShardTheCatalogHasNoConnectionsOfItsOwn() {
        ShardConnections connections = connections(Shards.ONE);
        connections.open();

        assertThat(connections.ofCatalog(Durability.FLUSHED)).isSameAs(connections.of(0, Durability.FLUSHED));
        assertThat(connections.size()).isEqualTo(12);
        assertThat(node(0).openedCount()).isEqualTo(12);
        assertThat(nodes).containsOnlyKeys(0);
    }

    @Test
    void moreShardsHaveFewerConnectionsEach() {
        assertThat(ShardConnections.sizeFor(new Shards(3))).isEqualTo(4);
        assertThat(ShardConnections.sizeFor(new Shards(16))).isEqualTo(2);
        assertThat(connections(new Shards(3)).size()).isEqualTo(3 * 8 + 4);
    }

    @Test
    void idsOfSeveralShardsBelongToTheCatalog() {
        ShardConnections connections = connections(new Shards(3));

        assertThat(connections.shardOf(List.of(partition(1), partition(4)))).isEqualTo(1);
        assertThat(connections.shardOf(List.of(partition(1), partition(4), partition(5))))
                .isEqualTo(ShardConnections.CATALOG);
        assertThat(connections.shardOf(List.<UUID>of())).isEqualTo(ShardConnections.CATALOG);
        assertThat(connections.shardOf(partition(255))).isZero();
    }

    @Test
    void anUnreachableShardDoesNotPreventTheStart() {
        ShardConnections connections = connections(new Shards(3));
        node(1).setReachable(false);
        Future<Void> opened = connections.open();
        assertThat(opened.isComplete()).isFalse();
        clock.pass(5_000);

        assertThat(opened.succeeded()).isTrue();
        assertThat(connections.isConnected()).isTrue();
        assertThat(connections.isShardAvailable(1)).isFalse();
        assertThat(connections.isShardAvailable(2)).isTrue();
        assertThat(connections.problems()).containsExactly("shard queen_01 cannot be reached");
    }

    @Test
    void theListenerIsCalledWhenAShardIsReachableAgain() {
        ShardConnections connections = connections(new Shards(3));
        node(2).setReachable(false);
        List<Integer> back = new ArrayList<>();
        connections.onReconnect(back::add);
        connections.open();
        clock.pass(10_000);
        assertThat(back).containsExactly(0, 1);

        node(2).setReachable(true);
        clock.pass(2_000);

        assertThat(back).containsExactly(0, 1, 2);
        assertThat(connections.problems()).isEmpty();
    }

    @Test
    void theStartWaitsForTheCatalog() {
        ShardConnections connections = connections(new Shards(2));
        node(ShardConnections.CATALOG).setReachable(false);
        Future<Void> opened = connections.open();
        clock.pass(60_000);
        assertThat(opened.isComplete()).isFalse();
        assertThat(connections.isConnected()).isFalse();

        node(ShardConnections.CATALOG).setReachable(true);
        clock.pass(2_000);
        assertThat(opened.succeeded()).isTrue();
    }

    @Test
    void connectionsToOtherServersAreKeptWhenAShardBecomesSilent() {
        ShardConnections connections = connections(new Shards(2));
        connections.open();
        silence(0);
        connections.of(0, Durability.FLUSHED).tryAcquire().call(WORK, Tuple.tuple());
        clock.pass(6_000);

        assertThat(node(0).droppedCount()).as("both pools").isEqualTo(12);
        assertThat(node(1).droppedCount()).isZero();
        assertThat(node(ShardConnections.CATALOG).droppedCount()).isZero();
    }

    @Test
    void connectionsToTheSameServerAreDroppedWhenAShardBecomesSilent() {
        ShardConnections connections = new ShardConnections(new Shards(2), (shard, _) -> node(shard),
                _ -> new Place("same", 1), Duration.ofSeconds(2), Duration.ofSeconds(35), new Timers(clock));
        connections.open();
        silence(0);
        connections.of(0, Durability.FLUSHED).tryAcquire().call(WORK, Tuple.tuple());
        clock.pass(6_000);

        assertThat(node(1).droppedCount()).isEqualTo(12);
        assertThat(node(ShardConnections.CATALOG).droppedCount()).isEqualTo(4);
    }

    @Test
    void anUnavailableShardIsNotReportedAsUnavailableDatabase() {
        ShardConnections connections = connections(new Shards(2));
        connections.open();
        connections.of(0, Durability.FLUSHED).setUnavailable("no space left");
        assertThat(connections.unavailableReason()).isNull();
        assertThat(connections.problems()).containsExactly("shard queen_00 cannot work: no space left");

        connections.of(1, Durability.FLUSHED).setUnavailable("no space left");
        assertThat(connections.unavailableReason()).isEqualTo("no space left");
    }

    private void silence(int shard) {
        node(shard).answer((sql, _) -> sql.equals(WORK)
                ? ScriptedSessions.silence()
                : Future.succeededFuture(
                        new StoredRowSet(List.of("is_working", "is_direct"), List.of(new Object[][]{{false, true}}))));
    }

    private ShardConnections connections(Shards shards) {
        return new ShardConnections(shards, (shard, _) -> node(shard), shard -> new Place("node", shard),
                Duration.ofSeconds(2), Duration.ofSeconds(35), new Timers(clock));
    }

    private ScriptedSessions node(int shard) {
        return nodes.computeIfAbsent(shard, _ -> new ScriptedSessions());
    }

    private static UUID partition(int firstByte) {
        return new UUID((long) firstByte << 56, 7);
    }
}
