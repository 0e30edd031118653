package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * A connection to PostgreSQL, which executes one call at a time. A call that is not answered for a while is reported to the
 * pool, because a silent connection is not reported by the network. Owned by the engine loop.
 */
public final class Connection {
    private final Session session;
    private final Timers timers;
    private final long silenceNs;
    private final ConnectionPool pool;
    private @Nullable Promise<RowSet<Row>> open;
    /** A call that PostgreSQL has not answered yet, and whose requests no longer wait. */
    private @Nullable Promise<RowSet<Row>> detached;
    /** A call that was in flight when the history of the database changed. */
    private @Nullable Promise<RowSet<Row>> abandoned;
    private long askedNs;
    private long answeredNs;
    private Timers.@Nullable Alarm alarm;
    private boolean isLost;

    /** @param silenceNs the time without an answer after which the pool is called */
    Connection(Session session, Timers timers, long silenceNs, ConnectionPool pool) {
        this.session = session;
        this.timers = timers;
        this.silenceNs = silenceNs;
        this.pool = pool;
        this.answeredNs = timers.nowNs();
        session.onClose(() -> abort("the connection to PostgreSQL was lost"));
    }

    /** Calls a routine. If the connection is aborted, the call fails as if the connection had been lost. */
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        Promise<RowSet<Row>> answer = Promise.promise();
        open = answer;
        askedNs = timers.nowNs();
        watch(answer);
        session.call(sql, arguments).onComplete(rows -> {
            // Otherwise the call was aborted or abandoned: no request waits for its answer.
            if (open == answer) {
                onAnswer(answer, rows);
            } else if (detached == answer) {
                onLateAnswer(rows);
            }
        });
        return answer.future();
    }

    private void watch(Promise<RowSet<Row>> call) {
        alarm = timers.after(silenceNs, () -> {
            if (open == call || detached == call) {
                watch(call);
                pool.notAnswered(this);
            }
        });
    }

    private void stopWatching() {
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private void onAnswer(Promise<RowSet<Row>> answer, AsyncResult<RowSet<Row>> rows) {
        open = null;
        stopWatching();
        answeredNs = timers.nowNs();
        if (rows.succeeded()) {
            answer.complete(rows.result());
            return;
        }
        if (isUseless(rows.cause())) {
            drop(SqlFailure.of(rows.cause()) == SqlFailure.LOST);
        }
        answer.fail(rows.cause());
    }

    private void onLateAnswer(AsyncResult<RowSet<Row>> rows) {
        detached = null;
        stopWatching();
        answeredNs = timers.nowNs();
        if (rows.failed() && isUseless(rows.cause())) {
            drop(SqlFailure.of(rows.cause()) == SqlFailure.LOST);
        } else {
            pool.answeredLate(this);
        }
    }

    /** Fails the call in flight as if its connection had been lost, and keeps the connection until the answer arrives. */
    void detach(String why) {
        if (open != null) {
            detached = open;
            open = null;
            detached.fail(new VertxException(why, true));
        }
    }

    boolean isDetached() {
        return detached != null;
    }

    /** Returns true if the connection must be replaced: it is broken, or its server has become a standby. */
    private static boolean isUseless(Throwable cause) {
        return SqlFailure.of(cause) == SqlFailure.LOST
                || cause instanceof PgException failure && "25006".equals(failure.getSqlState());
    }

    /** Drops the connection at once. A call in flight fails. */
    void abort(String why) {
        Promise<RowSet<Row>> unanswered = open != null ? open : detached;
        open = null;
        detached = null;
        drop(unanswered != null);
        if (unanswered != null) {
            stopWatching();
            unanswered.tryFail(new VertxException(why, true));
        }
    }

    /** Drops the connection at once. A call in flight fails later, with {@link #failAbandoned}. */
    void abandon() {
        boolean isUnanswered = isBusy();
        abandoned = open;
        open = null;
        detached = null;
        if (isUnanswered) {
            stopWatching();
        }
        drop(isUnanswered);
    }

    void failAbandoned() {
        if (abandoned != null) {
            abandoned.fail(new VertxException("the database history changed", true));
        }
    }

    private void drop(boolean isUnanswered) {
        if (!isLost) {
            isLost = true;
            session.drop();
            pool.lost(this, isUnanswered);
        }
    }

    boolean isLost() {
        return isLost;
    }

    boolean isBusy() {
        return open != null || detached != null;
    }

    /** Returns the time at which the last call was sent. */
    long askedNs() {
        return askedNs;
    }

    /** Returns the time of the last answer of PostgreSQL on this connection. */
    long answeredNs() {
        return answeredNs;
    }

    int processId() {
        return session.processId();
    }

    Future<Void> close() {
        return session.close();
    }
}
