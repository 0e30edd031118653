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

/**
 * One connection to PostgreSQL, used for one call at a time. A call that is not answered for a while is looked into: the
 * connection may have gone silent, and nobody else would ever say so. Owned by the engine loop.
 */
public final class Connection {
    /** Who finds out what became of a call that is not answered. */
    interface Supervisor {
        /** Called every few seconds while a call is not answered. */
        void notAnswered(Connection connection);

        /** Called when the answer to a call came that was detached: the connection is free again. */
        void answeredLate(Connection connection);

        /**
         * Called once, when the connection was lost.
         *
         * @param isUnanswered whether a call was under way, whose outcome is unknown
         */
        void lost(Connection connection, boolean isUnanswered);
    }

    private final Session session;
    private final Timers timers;
    private final long silenceNs;
    private final Supervisor supervisor;
    private Promise<RowSet<Row>> open;
    /** A call whose requests do not wait any longer, and that PostgreSQL has not answered yet. */
    private Promise<RowSet<Row>> detached;
    /** A call that was under way when the history of the database changed. */
    private Promise<RowSet<Row>> abandoned;
    private long askedNs;
    private long answeredNs;
    private Timers.Alarm alarm;
    private boolean isLost;

    /** @param silenceNs how long a call is not answered before that is looked into */
    Connection(Session session, Timers timers, long silenceNs, Supervisor supervisor) {
        this.session = session;
        this.timers = timers;
        this.silenceNs = silenceNs;
        this.supervisor = supervisor;
        this.answeredNs = timers.nowNs();
        session.onClose(() -> giveUp("the connection to PostgreSQL was lost"));
    }

    /** Calls a routine. A call whose connection is given up fails as if its connection had been lost. */
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        Promise<RowSet<Row>> answer = Promise.promise();
        open = answer;
        askedNs = timers.nowNs();
        watch(answer);
        session.call(sql, arguments).onComplete(rows -> {
            // Another one means that this call was given up: nobody waits for its answer any more.
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
                supervisor.notAnswered(this);
            }
        });
    }

    private void onAnswer(Promise<RowSet<Row>> answer, AsyncResult<RowSet<Row>> rows) {
        open = null;
        alarm.cancel();
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
        alarm.cancel();
        answeredNs = timers.nowNs();
        if (rows.failed() && isUseless(rows.cause())) {
            drop(SqlFailure.of(rows.cause()) == SqlFailure.LOST);
        } else {
            supervisor.answeredLate(this);
        }
    }

    /** Fails the call under way as if its connection had been lost, and keeps the connection until the answer comes. */
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

    /** Whether another connection may do better: this one is broken, or leads to a server that is a standby now. */
    private static boolean isUseless(Throwable cause) {
        return SqlFailure.of(cause) == SqlFailure.LOST
                || cause instanceof PgException failure && "25006".equals(failure.getSqlState());
    }

    /** Drops the connection at once; a call that is not answered fails. */
    void giveUp(String why) {
        Promise<RowSet<Row>> unanswered = open != null ? open : detached;
        open = null;
        detached = null;
        drop(unanswered != null);
        if (unanswered != null) {
            alarm.cancel();
            unanswered.tryFail(new VertxException(why, true));
        }
    }

    /** Drops the connection at once; whoever waits for an answer hears of it with {@link #failAbandoned}. */
    void abandon() {
        boolean isUnanswered = isBusy();
        abandoned = open;
        open = null;
        detached = null;
        if (isUnanswered) {
            alarm.cancel();
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
            supervisor.lost(this, isUnanswered);
        }
    }

    boolean isLost() {
        return isLost;
    }

    boolean isBusy() {
        return open != null || detached != null;
    }

    /** When the call under way was made. */
    long askedNs() {
        return askedNs;
    }

    /** When PostgreSQL was last heard of on this connection. */
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
