package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.schema.Shards;
import io.queenmq.server.harness.ManualClock;
import io.queenmq.server.harness.ScriptedSessions;
import io.queenmq.server.postgres.Links.Durability;
import io.queenmq.server.simulation.store.StoredRowSet;
import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ShardLinksTest {
    private static final String WORK = "select work";

    private final ManualClock clock = new ManualClock();
    private final Map<Integer, ScriptedSessions> nodes = new HashMap<>();

    @Test
    void withOneShardTheCatalogHasNoConnectionsOfItsOwn() {
        ShardLinks links = links(Shards.ONE);
        links.open();

        assertThat(links.ofCatalog(Durability.FLUSHED)).isSameAs(links.of(0, Durability.FLUSHED));
        assertThat(links.size()).isEqualTo(12);
        assertThat(node(0).openedCount()).isEqualTo(12);
        assertThat(nodes).containsOnlyKeys(0);
    }

    @Test
    void moreShardsHaveFewerConnectionsEach() {
        assertThat(ShardLinks.sizeFor(new Shards(3))).isEqualTo(4);
        assertThat(ShardLinks.sizeFor(new Shards(16))).isEqualTo(2);
        assertThat(links(new Shards(3)).size()).isEqualTo(3 * 8 + 4);
    }

    @Test
    void whatIsInOneShardIsForItAndWhatIsInSeveralForTheCatalog() {
        ShardLinks links = links(new Shards(3));

        assertThat(links.shardOf(List.of(partition(1), partition(4)))).isEqualTo(1);
        assertThat(links.shardOf(List.of(partition(1), partition(4), partition(5)))).isEqualTo(ShardLinks.CATALOG);
        assertThat(links.shardOf(List.<UUID>of())).isEqualTo(ShardLinks.CATALOG);
        assertThat(links.shardOf(partition(255))).isZero();
    }

    @Test
    void aShardThatIsAwayKeepsNobodyFromStarting() {
        ShardLinks links = links(new Shards(3));
        node(1).setReachable(false);
        Future<Void> opened = links.open();
        assertThat(opened.isComplete()).isFalse();
        clock.pass(5_000);

        assertThat(opened.succeeded()).isTrue();
        assertThat(links.isConnected()).isTrue();
        assertThat(links.isWorthAsking(1)).isFalse();
        assertThat(links.isWorthAsking(2)).isTrue();
        assertThat(links.troubles()).containsExactly("shard queen_01 cannot be reached");
    }

    @Test
    void itIsToldWhenAShardIsBack() {
        ShardLinks links = links(new Shards(3));
        node(2).setReachable(false);
        List<Integer> back = new ArrayList<>();
        links.onBack(back::add);
        links.open();
        clock.pass(10_000);
        assertThat(back).containsExactly(0, 1);

        node(2).setReachable(true);
        clock.pass(2_000);

        assertThat(back).containsExactly(0, 1, 2);
        assertThat(links.troubles()).isEmpty();
    }

    @Test
    void aCatalogThatIsAwayIsWaitedFor() {
        ShardLinks links = links(new Shards(2));
        node(ShardLinks.CATALOG).setReachable(false);
        Future<Void> opened = links.open();
        clock.pass(60_000);
        assertThat(opened.isComplete()).isFalse();
        assertThat(links.isConnected()).isFalse();

        node(ShardLinks.CATALOG).setReachable(true);
        clock.pass(2_000);
        assertThat(opened.succeeded()).isTrue();
    }

    @Test
    void whoIsOnAnotherServerIsNotDistrustedWhenAShardGoesSilent() {
        ShardLinks links = links(new Shards(2));
        links.open();
        silence(0);
        links.of(0, Durability.FLUSHED).tryTake().call(WORK, Tuple.tuple());
        clock.pass(6_000);

        assertThat(node(0).droppedCount()).as("both kinds").isEqualTo(12);
        assertThat(node(1).droppedCount()).isZero();
        assertThat(node(ShardLinks.CATALOG).droppedCount()).isZero();
    }

    @Test
    void whoIsOnTheSameServerIs() {
        ShardLinks links = new ShardLinks(new Shards(2), (shard, _) -> node(shard), _ -> new Place("same", 1),
                Duration.ofSeconds(2), Duration.ofSeconds(35), new Timers(clock));
        links.open();
        silence(0);
        links.of(0, Durability.FLUSHED).tryTake().call(WORK, Tuple.tuple());
        clock.pass(6_000);

        assertThat(node(1).droppedCount()).isEqualTo(12);
        assertThat(node(ShardLinks.CATALOG).droppedCount()).isEqualTo(4);
    }

    @Test
    void aShardThatCannotWorkIsNoComplaintWhileOthersCan() {
        ShardLinks links = links(new Shards(2));
        links.open();
        links.of(0, Durability.FLUSHED).unable("no space left");
        assertThat(links.complaint()).isNull();
        assertThat(links.troubles()).containsExactly("shard queen_00 cannot work: no space left");

        links.of(1, Durability.FLUSHED).unable("no space left");
        assertThat(links.complaint()).isEqualTo("no space left");
    }

    private void silence(int shard) {
        node(shard).answer((sql, _) -> sql.equals(WORK)
                ? ScriptedSessions.silence()
                : Future.succeededFuture(new StoredRowSet(List.of("is_working", "is_direct"),
                        List.of(new Object[][]{{false, true}}))));
    }

    private ShardLinks links(Shards shards) {
        return new ShardLinks(shards, (shard, _) -> node(shard), shard -> new Place("node", shard),
                Duration.ofSeconds(2), Duration.ofSeconds(35), new Timers(clock));
    }

    private ScriptedSessions node(int shard) {
        return nodes.computeIfAbsent(shard, _ -> new ScriptedSessions());
    }

    private static UUID partition(int firstByte) {
        return new UUID((long) firstByte << 56, 7);
    }
}
