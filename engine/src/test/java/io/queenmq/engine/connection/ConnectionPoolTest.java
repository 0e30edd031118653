package io.queenmq.engine.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.harness.ManualClock;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.simulation.store.StoredRowSet;
import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
    private static final String WORK = "select work";

    private final ManualClock clock = new ManualClock();
    private final ScriptedSessions postgres = new ScriptedSessions();
    private final Timers timers = new Timers(clock);
    private final DatabaseHistory history = new DatabaseHistory(timers);
    private final ConnectionPool connections = new ConnectionPool(postgres, () -> new Place("scripted", 1), history,
            Duration.ofSeconds(2), Duration.ofSeconds(35), 3, timers);

    ConnectionPoolTest() {
        connections.open();
    }

    @Test
    @DisplayName("a connection on which PostgreSQL executes nothing is dropped after five seconds, with all that may be silent, too")
    void allConnectionsThatMayBeSilentAreReplaced() {
        postgres.answer((sql, arguments) -> sql.equals(WORK) ? ScriptedSessions.silence() : enquired(arguments, false));
        Future<RowSet<Row>> call = connections.tryAcquire().call(WORK, Tuple.tuple());

        clock.pass(6_000);

        assertThat(call.failed()).isTrue();
        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.LOST);
        assertThat(postgres.droppedCount()).isEqualTo(3);
        clock.pass(1_000);
        assertThat(connections.isConnected()).isTrue();
        assertThat(connections.busyCount()).isZero();
    }

    @Test
    @DisplayName("a call that PostgreSQL executes is awaited, but not longer than the statement timeout allows")
    void aCallThatIsExecutedIsAwaited() {
        postgres.answer((sql, arguments) -> sql.equals(WORK) ? ScriptedSessions.silence() : enquired(arguments, true));
        Future<RowSet<Row>> call = connections.tryAcquire().call(WORK, Tuple.tuple());

        clock.pass(34_000);
        assertThat(call.isComplete()).isFalse();
        clock.pass(6_000);

        assertThat(call.failed()).isTrue();
    }

    @Test
    @DisplayName("a call abandoned while PostgreSQL was unavailable is ended before any other call starts")
    void anAbandonedCallIsEndedFirst() {
        postgres.answer((_, _) -> ScriptedSessions.silence());
        Future<RowSet<Row>> call = connections.tryAcquire().call(WORK, Tuple.tuple());
        postgres.setReachable(false);

        clock.pass(10_000);
        assertThat(call.failed()).isTrue();
        assertThat(connections.isConnected()).isFalse();
        postgres.calls().clear();
        postgres.answer((_, arguments) -> ended(arguments, false));
        postgres.setReachable(true);
        clock.pass(2_000);

        assertThat(connections.isConnected()).isTrue();
        assertThat(connections.isSettled()).as("the session has not ended").isFalse();
        assertThat(postgres.calls()).isNotEmpty().first().asString().contains("pg_terminate_backend");
        postgres.answer((_, arguments) -> ended(arguments, true));
        clock.pass(2_000);
        assertThat(connections.isSettled()).isTrue();
    }

    @Test
    void aSessionWhoseConnectionIsLostDuringACallIsEndedOnAnotherConnection() {
        Promise<RowSet<Row>> answer = Promise.promise();
        postgres.answer((sql, _) -> sql.equals(WORK) ? answer.future() : ScriptedSessions.silence());
        connections.tryAcquire().call(WORK, Tuple.tuple());
        assertThat(connections.isSettled()).isTrue();

        answer.fail(new VertxException("connection reset", true));
        clock.pass(1);

        assertThat(connections.isSettled()).isFalse();
        assertThat(postgres.calls()).last().asString().contains("pg_terminate_backend");
    }

    @Test
    @DisplayName("a commit that waits for a synchronous standby is not ended, its requests do not wait, and no others follow it")
    void aCommitThatWaitsForAStandbyIsNotEnded() {
        Promise<RowSet<Row>> answer = Promise.promise();
        postgres.answer((sql, _) -> sql.equals(WORK) ? answer.future() : replicating());
        Connection connection = connections.tryAcquire();
        Future<RowSet<Row>> call = connection.call(WORK, Tuple.tuple());

        clock.pass(100_000);
        connections.release(connection);

        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.LOST);
        assertThat(postgres.droppedCount()).isZero();
        assertThat(connections.unavailableReason()).contains("synchronous standby");
        assertThat(connections.tryAcquire()).isNull();
        assertThat(connections.isSettled()).isFalse();
        answer.complete(null);
        assertThat(connections.unavailableReason()).isNull();
        assertThat(connections.isSettled()).isTrue();
        assertThat(connections.tryAcquire()).isSameAs(connection);
    }

    @Test
    @DisplayName("while no synchronous standby is connected, new connections are not used, and no more of them are opened")
    void newConnectionsWaitForAStandby() {
        List<String> checks = new ArrayList<>();
        postgres.answer((sql, _) -> {
            checks.add(sql);
            return sql.equals(WORK) ? Future.failedFuture(new VertxException("reset", true)) : replicating();
        });
        postgres.setStandby(false);
        for (int i = 0; i < 3; i++) {
            connections.tryAcquire().call(WORK, Tuple.tuple());
        }

        clock.pass(120_000);

        assertThat(connections.isConnected()).isFalse();
        assertThat(connections.unavailableReason()).contains("synchronous standby");
        assertThat(postgres.openedCount() - checks.size()).as("sessions, without those of checks")
                .isLessThanOrEqualTo(6);
    }

    @Test
    @DisplayName("an error that PostgreSQL reported is cleared when it does not recur")
    void anErrorIsClearedIfItDoesNotRecur() {
        connections.setUnavailable("no space left on device");
        clock.pass(9_000);
        assertThat(connections.unavailableReason()).isEqualTo("no space left on device");

        clock.pass(2_000);

        assertThat(connections.unavailableReason()).isNull();
    }

    /** The answer about one session that does not answer, or about those whose connection was lost. */
    private static Future<RowSet<Row>> enquired(Tuple arguments, boolean isWorking) {
        if (arguments.getValue(0) instanceof Integer[]) {
            return ended(arguments, true);
        }
        return Future.succeededFuture(new StoredRowSet(List.of("is_working", "is_direct", "is_replicating"),
                List.of(new Object[][]{{isWorking && !arguments.getBoolean(1), true, false}})));
    }

    private static Future<RowSet<Row>> replicating() {
        return Future.succeededFuture(new StoredRowSet(List.of("is_working", "is_direct", "is_replicating"),
                List.of(new Object[][]{{true, true, true}})));
    }

    private static Future<RowSet<Row>> ended(Tuple arguments, boolean isEnded) {
        List<Object[]> rows = new ArrayList<>();
        for (Integer processId : (Integer[]) arguments.getValue(0)) {
            rows.add(new Object[]{processId, true, isEnded});
        }
        return Future.succeededFuture(new StoredRowSet(List.of("pid", "is_direct", "is_ended"), rows));
    }
}
