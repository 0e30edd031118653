package io.queenmq.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.connection.Session;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.harness.ScriptedSessions;
import io.queenmq.engine.simulation.store.StoredRowSet;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Routines use the local tables of a shard only while the shard is locked. */
class LocalSessionTest {
    private static final String PUSH = "select index from api.push($1)";
    private static final String PUSH_BOUNDED = "select index from api.push_bounded($1)";

    private final ScriptedSessions postgres = new ScriptedSessions();

    @Test
    void aRoutineIsCalledAfterTheShardIsLocked() {
        Session session = open(numbered(102018L));

        session.call(PUSH, Tuple.tuple());

        assertThat(lastCall()).containsSubsequence("api.lock_shard('queen_00', 102018) as is_held", "lateral", PUSH,
                "where h.is_held");
    }

    @Test
    void routinesThatWriteTheCatalogUseCitus() {
        Session session = open(numbered(102018L));

        session.call(PUSH_BOUNDED, Tuple.tuple());

        assertThat(lastCall()).isEqualTo(PUSH_BOUNDED);
    }

    /** With the lock, such a query would wait for a move of the shard, and the connection would appear silent. */
    @Test
    void queriesAboutPostgresDoNotLockTheShard() {
        Session session = open(numbered(102018L));

        session.ask("select 1", Tuple.tuple());

        assertThat(lastCall()).isEqualTo("select 1");
    }

    @Test
    void onOtherNodesAllCallsUseCitus() {
        Session session = open(numbered(null));

        session.call(PUSH, Tuple.tuple());

        assertThat(lastCall()).isEqualTo(PUSH);
    }

    @Test
    void afterAMoveTheCallAndAllLaterOnesUseCitus() {
        Session session = open(numbered(102018L));
        postgres.answer((sql, _) -> sql.contains("lock_shard") ? refused("QN007") : numbered(1L));

        Future<RowSet<Row>> call = session.call(PUSH, Tuple.tuple());

        assertThat(call.succeeded()).isTrue();
        assertThat(lastCall()).isEqualTo(PUSH);
        postgres.calls().clear();
        session.call(PUSH, Tuple.tuple());
        assertThat(postgres.calls()).containsExactly(PUSH);
    }

    @Test
    void otherFailuresArePassedToTheCaller() {
        Session session = open(numbered(102018L));
        postgres.answer((_, _) -> refused("QN003"));
        postgres.calls().clear();

        Future<RowSet<Row>> call = session.call(PUSH, Tuple.tuple());

        assertThat(SqlFailure.of(call.cause())).isEqualTo(SqlFailure.OUTDATED);
        assertThat(postgres.calls()).hasSize(1);
    }

    @Test
    void aNodeThatCannotPrepareUsesCitus() {
        Session session = open(refused("42501"));
        postgres.answer((_, _) -> numbered(1L));

        session.call(PUSH, Tuple.tuple());

        assertThat(lastCall()).isEqualTo(PUSH);
    }

    @Test
    void aConnectionLostDuringPreparationIsNotOpened() {
        Future<Session> opened = opening(Future.failedFuture(new VertxException("connection reset", true)));

        assertThat(opened.failed()).isTrue();
        assertThat(postgres.droppedCount()).isEqualTo(1);
    }

    private Session open(Future<RowSet<Row>> prepared) {
        return opening(prepared).result();
    }

    private Future<Session> opening(Future<RowSet<Row>> prepared) {
        postgres.answer((_, _) -> prepared);
        return postgres.open().compose(session -> LocalSession.of(session, "api", "queen_00"));
    }

    private String lastCall() {
        return postgres.calls().getLast();
    }

    private static Future<RowSet<Row>> numbered(Long number) {
        return Future.succeededFuture(new StoredRowSet(List.of("number"), List.<Object[]>of(new Object[]{number})));
    }

    private static Future<RowSet<Row>> refused(String state) {
        return Future.failedFuture(new PgException("refused", "ERROR", state, null));
    }
}
