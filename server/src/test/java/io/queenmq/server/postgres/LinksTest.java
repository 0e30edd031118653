package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.harness.ManualClock;
import io.queenmq.server.harness.ScriptedSessions;
import io.queenmq.server.simulation.store.StoredRowSet;
import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinksTest {
    private static final String WORK = "select work";

    private final ManualClock clock = new ManualClock();
    private final ScriptedSessions postgres = new ScriptedSessions();
    private final Links links = new Links(postgres, Duration.ofSeconds(2), Duration.ofSeconds(35), 3,
            new Timers(clock));

    LinksTest() {
        links.open();
    }

    @Test
    @DisplayName("D3: a connection on which PostgreSQL does not work is dropped after five seconds, and so are those like it")
    void aSilentConnectionIsReplacedWithThoseThatMayBeSilentToo() {
        postgres.answer((sql, _) -> sql.equals(WORK) ? ScriptedSessions.silence() : enquired(false));
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
                : enquired(!arguments.getBoolean(1)));
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
        postgres.answer((_, _) -> enquired(false));
        postgres.setReachable(true);
        clock.pass(2_000);

        assertThat(links.isConnected()).isTrue();
        assertThat(postgres.calls()).isNotEmpty().first().asString().contains("pg_terminate_backend");
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

    private static Future<RowSet<Row>> enquired(boolean isWorking) {
        return Future.succeededFuture(new StoredRowSet(List.of("is_working", "is_direct"),
                List.of(new Object[][]{{isWorking, true}})));
    }
}
