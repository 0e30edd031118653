package io.queenmq.server.postgres;

import io.queenmq.server.time.Timers;
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
public final class Link {
    /** Who finds out what became of a call that is not answered. */
    interface Supervisor {
        /** Called every few seconds while a call is not answered. */
        void notAnswered(Link link);

        /** Called once, when the link is of no use any more. */
        void lost(Link link);
    }

    private final Session session;
    private final Timers timers;
    private final long silenceNs;
    private final Supervisor supervisor;
    private Promise<RowSet<Row>> open;
    private long askedNs;
    private long answeredNs;
    private Timers.Alarm alarm;
    private boolean isLost;

    /** @param silenceNs how long a call is not answered before that is looked into */
    Link(Session session, Timers timers, long silenceNs, Supervisor supervisor) {
        this.session = session;
        this.timers = timers;
        this.silenceNs = silenceNs;
        this.supervisor = supervisor;
        this.answeredNs = timers.nowNs();
        session.onClose(() -> giveUp("the connection to PostgreSQL was lost"));
    }

    /** Calls a routine. A call whose link is given up fails as if its connection had been lost. */
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        Promise<RowSet<Row>> answer = Promise.promise();
        open = answer;
        askedNs = timers.nowNs();
        watch(answer);
        session.call(sql, arguments).onComplete(rows -> {
            // Another one means that this call was given up: nobody waits for its answer any more.
            if (open == answer) {
                onAnswer(answer, rows);
            }
        });
        return answer.future();
    }

    private void watch(Promise<RowSet<Row>> call) {
        alarm = timers.after(silenceNs, () -> {
            if (open == call) {
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
            drop();
        }
        answer.fail(rows.cause());
    }

    /** Whether another connection may do better: this one is broken, or leads to a server that is a standby now. */
    private static boolean isUseless(Throwable cause) {
        return SqlFailure.of(cause) == SqlFailure.LOST
                || cause instanceof PgException failure && "25006".equals(failure.getSqlState());
    }

    /** Drops the connection at once; a call that is not answered fails. */
    void giveUp(String why) {
        Promise<RowSet<Row>> unanswered = open;
        open = null;
        drop();
        if (unanswered != null) {
            alarm.cancel();
            unanswered.fail(new VertxException(why, true));
        }
    }

    private void drop() {
        if (!isLost) {
            isLost = true;
            session.drop();
            supervisor.lost(this);
        }
    }

    boolean isLost() {
        return isLost;
    }

    boolean isBusy() {
        return open != null;
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
