package io.queenmq.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.time.Timers;
import io.queenmq.schema.Shards;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a database with another history")
class DatabaseHistoryTest {
    private static final OffsetDateTime MORNING = OffsetDateTime.parse("2026-01-01T08:00:00Z");

    private final ManualClock clock = new ManualClock();
    private final Map<Place, ScriptedSessions> nodes = new HashMap<>();
    private final Place[] places = {new Place("a", 1), new Place("a", 1), new Place("a", 1)};
    private final ShardConnections connections = new ShardConnections(new Shards(2),
            (shard, _) -> () -> node(shard).open(), this::placeOf, Duration.ofSeconds(2), Duration.ofSeconds(35),
            new Timers(clock));
    private final DatabaseHistory history = connections.history();
    private final List<String> events = new ArrayList<>();

    DatabaseHistoryTest() {
        identify("a", identity(1, MORNING, 100, 0));
        identify("b", new DatabaseIdentity(2L, 1, MORNING, 100L, null, false));
        history.onChange(() -> events.add("dropped, connected " + connections.isConnected()));
        connections.open();
    }

    private Place placeOf(int shard) {
        return places[shard + 1];
    }

    private ScriptedSessions node(int shard) {
        return node(placeOf(shard));
    }

    private ScriptedSessions node(Place place) {
        return nodes.computeIfAbsent(place, _ -> new ScriptedSessions());
    }

    private void identify(String host, DatabaseIdentity identity) {
        node(new Place(host, 1)).setIdentity(identity);
    }

    private static DatabaseIdentity identity(int timeline, OffsetDateTime startedAt, long position, long report) {
        return new DatabaseIdentity(1L, timeline, startedAt, position, report, false);
    }

    /** A connection is lost, as all are when PostgreSQL ends; another one is opened. */
    private void reconnectOne() {
        connections.of(0, Durability.FLUSHED).tryAcquire().abort("lost");
        clock.pass(1_000);
    }

    @Test
    void aConnectionToTheSameHistoryChangesNothing() {
        identify("a", identity(1, MORNING, 150, 0));

        reconnectOne();

        assertThat(events).isEmpty();
        assertThat(history.epoch()).isZero();
        assertThat(history.lastChange()).isNull();
    }

    @Test
    void aPromotedStandbyDropsTheStateOfAllShards() {
        node(0).answer((_, _) -> ScriptedSessions.silence());
        Future<RowSet<Row>> call = connections.of(1, Durability.RELAXED).tryAcquire().call("select work",
                Tuple.tuple());
        call.onFailure(_ -> events.add("failed, connected " + connections.isConnected()));
        identify("a", identity(2, MORNING.plusMinutes(1), 90, 0));
        int openedBefore = node(0).openedCount();

        reconnectOne();

        assertThat(events).as("no call fails before all connections are closed and all state is dropped")
                .containsExactly("dropped, connected false", "failed, connected false");
        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.LOST);
        assertThat(history.lastChange().what()).isEqualTo("timeline 1 -> 2");
        assertThat(node(0).droppedCount()).as("connections to the old history").isEqualTo(openedBefore);
        assertThat(connections.isConnected()).isTrue();
        assertThat(history.epoch()).isEqualTo(1);
    }

    @Test
    void restoredFilesAreDetectedByTheStartTimeOfPostgres() {
        identify("a", identity(1, MORNING.plusMinutes(1), 150, 0));

        reconnectOne();

        assertThat(history.lastChange().what()).startsWith("PostgreSQL started at");
    }

    @Test
    void anEarlierEndOfTheWalIsAnotherHistory() {
        identify("a", identity(1, MORNING, 99, 0));

        reconnectOne();

        assertThat(history.lastChange().what()).isEqualTo("WAL position 100 -> 99");
    }

    @Test
    @DisplayName("a machine that returned to a snapshot has lost a report that was confirmed")
    void aLostReportIsAnotherHistory() {
        history.confirm(7);
        identify("a", identity(1, MORNING, 500, 6));

        reconnectOne();
        reconnectOne();

        assertThat(history.lastChange().what()).isEqualTo("report of this server 7 -> 6");
        assertThat(history.epoch()).as("the next connection finds no further change").isEqualTo(1);
    }

    @Test
    void aConnectionOpenedBeforeAReportIsNotAnotherHistory() {
        identify("a", identity(1, MORNING, 100, 6));
        node(0).whenIdentified(() -> history.confirm(7));

        reconnectOne();

        assertThat(history.epoch()).isZero();
    }

    @Test
    void connectionsToAStandbyAreRejected() {
        identify("a", new DatabaseIdentity(1L, null, MORNING, null, null, true));
        reconnectOne();
        int connected = connections.size() - 1;
        assertThat(connections.of(0, Durability.FLUSHED).busyCount()).isZero();
        assertThat(history.epoch()).isZero();
        assertThat(node(0).openedCount() - node(0).droppedCount()).isEqualTo(connected);

        identify("a", identity(1, MORNING, 100, 0));
        clock.pass(2_000);

        assertThat(node(0).openedCount() - node(0).droppedCount()).isEqualTo(connections.size());
    }

    @Test
    @DisplayName("a primary that was replaced and still runs gets no connections while there are connections to the new one")
    void connectionsToTheFormerPrimaryAreRejected() {
        identify("a", identity(2, MORNING.plusMinutes(1), 90, 0));
        reconnectOne();
        identify("a", identity(1, MORNING, 200, 0));

        reconnectOne();

        assertThat(history.epoch()).isEqualTo(1);
        assertThat(history.lastChange().what()).isEqualTo("timeline 1 -> 2");
    }

    @Test
    void aShardThatMovesToAnotherNodeHasTheSameHistory() {
        places[2] = new Place("b", 1);

        connections.reconnect(1);
        clock.pass(1_000);

        assertThat(node(1).openedCount()).isPositive();
        assertThat(history.epoch()).isZero();
    }

    @Test
    @DisplayName("a node that failed over to another address is another history, not a move")
    void aNodeThatFailsOverToAnotherAddressHasAnotherHistory() {
        places[2] = new Place("c", 1);
        identify("c", identity(2, MORNING.plusMinutes(1), 90, 0));

        connections.reconnect(1);
        clock.pass(1_000);

        assertThat(history.lastChange().what()).isEqualTo("timeline 1 -> 2");
    }

    @Test
    void undisclosedComponentsAreNotCompared() {
        identify("a", new DatabaseIdentity(null, null, MORNING, null, null, false));
        reconnectOne();
        assertThat(history.epoch()).isZero();

        identify("a", new DatabaseIdentity(null, null, MORNING.plusMinutes(1), null, null, false));
        reconnectOne();

        assertThat(history.epoch()).isEqualTo(1);
    }

    @Test
    void aContradictionOfEarlierDataIsAnotherHistory() {
        history.contradicted("catalog version 9 -> 8");
        clock.pass(1_000);

        assertThat(events).containsExactly("dropped, connected false");
        assertThat(history.lastChange().what()).isEqualTo("catalog version 9 -> 8");
        assertThat(connections.isConnected()).isTrue();
    }
}
