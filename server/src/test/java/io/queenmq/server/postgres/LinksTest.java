package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.harness.ManualClock;
import io.queenmq.server.harness.ScriptedSessions;
import io.queenmq.server.simulation.store.StoredRowSet;
import io.queenmq.server.time.Timers;
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

class LinksTest {
    private static final String WORK = "select work";

    private final ManualClock clock = new ManualClock();
    private final ScriptedSessions postgres = new ScriptedSessions();
    private final Timers timers = new Timers(clock);
    private final DatabaseHistory history = new DatabaseHistory(timers);
    private final Links links = new Links(postgres, () -> new Place("scripted", 1), history, Duration.ofSeconds(2),
            Duration.ofSeconds(35), 3, timers);

    LinksTest() {
        links.open();
    }

    @Test
    @DisplayName("D3: a connection on which PostgreSQL does not work is dropped after five seconds, and so are those like it")
    void aSilentConnectionIsReplacedWithThoseThatMayBeSilentToo() {
        postgres.answer(
                (sql, arguments) -> sql.equals(WORK) ? ScriptedSessions.silence() : enquired(arguments, false));
        Future<RowSet<Row>> call = links.tryTake().call(WORK, Tuple.tuple());

        clock.pass(6_000);

        assertThat(call.failed()).isTrue();
        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.LOST);
        assertThat(postgres.droppedCount()).isEqualTo(3);
        clock.pass(1_000);
        assertThat(links.isConnected()).isTrue();
        assertThat(links.busyCount()).isZero();
    }

    @Test
    @DisplayName("D3: a call PostgreSQL works on is waited for, but not longer than it may take")
    void aCallThatIsWorkedOnIsWaitedFor() {
        postgres.answer((sql, arguments) -> sql.equals(WORK)
                ? ScriptedSessions.silence()
                : enquired(arguments, true));
        Future<RowSet<Row>> call = links.tryTake().call(WORK, Tuple.tuple());

        clock.pass(34_000);
        assertThat(call.isComplete()).isFalse();
        clock.pass(6_000);

        assertThat(call.failed()).isTrue();
    }

    @Test
    @DisplayName("D3: a call given up while PostgreSQL was away is ended before anything else is carried out")
    void whatWasGivenUpIsEndedFirst() {
        postgres.answer((_, _) -> ScriptedSessions.silence());
        Future<RowSet<Row>> call = links.tryTake().call(WORK, Tuple.tuple());
        postgres.setReachable(false);

        clock.pass(10_000);
        assertThat(call.failed()).isTrue();
        assertThat(links.isConnected()).isFalse();
        postgres.calls().clear();
        postgres.answer((_, arguments) -> ended(arguments, false));
        postgres.setReachable(true);
        clock.pass(2_000);

        assertThat(links.isConnected()).isTrue();
        assertThat(links.isSettled()).as("the session has not ended").isFalse();
        assertThat(postgres.calls()).isNotEmpty().first().asString().contains("pg_terminate_backend");
        postgres.answer((_, arguments) -> ended(arguments, true));
        clock.pass(2_000);
        assertThat(links.isSettled()).isTrue();
    }

    @Test
    void aSessionWhoseConnectionIsLostDuringACallIsEndedOnAnotherConnection() {
        Promise<RowSet<Row>> answer = Promise.promise();
        postgres.answer((sql, _) -> sql.equals(WORK) ? answer.future() : ScriptedSessions.silence());
        links.tryTake().call(WORK, Tuple.tuple());
        assertThat(links.isSettled()).isTrue();

        answer.fail(new VertxException("connection reset", true));
        clock.pass(1);

        assertThat(links.isSettled()).isFalse();
        assertThat(postgres.calls()).last().asString().contains("pg_terminate_backend");
    }

    @Test
    @DisplayName("a commit that waits for a synchronous standby is not ended, its requests do not wait, and no others follow it")
    void aCommitThatWaitsForAStandbyIsNotEnded() {
        Promise<RowSet<Row>> answer = Promise.promise();
        postgres.answer((sql, _) -> sql.equals(WORK) ? answer.future() : replicating());
        Link link = links.tryTake();
        Future<RowSet<Row>> call = link.call(WORK, Tuple.tuple());

        clock.pass(100_000);
        links.giveBack(link);

        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.LOST);
        assertThat(postgres.droppedCount()).isZero();
        assertThat(links.complaint()).contains("synchronous standby");
        assertThat(links.tryTake()).isNull();
        assertThat(links.isSettled()).isFalse();
        answer.complete(null);
        assertThat(links.complaint()).isNull();
        assertThat(links.isSettled()).isTrue();
        assertThat(links.tryTake()).isSameAs(link);
    }

    @Test
    @DisplayName("while no synchronous standby is there, new connections are not used, and no more of them are opened")
    void newConnectionsWaitForAStandby() {
        List<String> enquiries = new ArrayList<>();
        postgres.answer((sql, _) -> {
            enquiries.add(sql);
            return sql.equals(WORK) ? Future.failedFuture(new VertxException("reset", true)) : replicating();
        });
        postgres.setStandby(false);
        for (int i = 0; i < 3; i++) {
            links.tryTake().call(WORK, Tuple.tuple());
        }

        clock.pass(120_000);

        assertThat(links.isConnected()).isFalse();
        assertThat(links.complaint()).contains("synchronous standby");
        assertThat(postgres.openedCount() - enquiries.size()).as("sessions, without those that only ask")
                .isLessThanOrEqualTo(6);
    }

    @Test
    @DisplayName("D6: what PostgreSQL complains of is forgotten when it does not come again")
    void aComplaintFades() {
        links.unable("no space left on device");
        clock.pass(9_000);
        assertThat(links.complaint()).isEqualTo("no space left on device");

        clock.pass(2_000);

        assertThat(links.complaint()).isNull();
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
