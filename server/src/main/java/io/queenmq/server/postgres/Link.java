package io.queenmq.server.postgres;

import io.queenmq.server.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.function.IntFunction;

/** One connection to PostgreSQL, used for one call at a time. Owned by the engine loop. */
public final class Link {
    private final Session session;
    private final Timers timers;
    private final long answerWithinNs;
    private final IntFunction<Future<Void>> sessionEnd;
    private boolean isLost;
    private boolean isGivenUp;

    /** @param sessionEnd ends the session of a process of PostgreSQL, and completes when that was done or cannot be */
    Link(Session session, Timers timers, long answerWithinNs, IntFunction<Future<Void>> sessionEnd) {
        this.session = session;
        this.timers = timers;
        this.answerWithinNs = answerWithinNs;
        this.sessionEnd = sessionEnd;
    }

    /**
     * Calls a routine. A server that does not answer at all is treated like a lost connection. But the call may still be
     * on its way, and be carried out long after it was repeated: a lease that nobody knows of would hold its lane. So the
     * session is ended first.
     */
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        Promise<RowSet<Row>> answer = Promise.promise();
        Timers.Alarm alarm = timers.after(answerWithinNs, () -> {
            isLost = true;
            isGivenUp = true;
            session.close();
            sessionEnd.apply(session.processId())
                    .onComplete(_ -> answer.tryFail("PostgreSQL did not answer in time"));
        });
        session.call(sql, arguments).onComplete(rows -> {
            if (isGivenUp) {
                return;
            }
            alarm.cancel();
            if (rows.failed() && SqlFailure.of(rows.cause()) == SqlFailure.LOST) {
                isLost = true;
            }
            if (rows.succeeded()) {
                answer.tryComplete(rows.result());
            } else {
                answer.tryFail(rows.cause());
            }
        });
        return answer.future();
    }

    void onClose(Runnable handler) {
        session.onClose(() -> {
            isLost = true;
            handler.run();
        });
    }

    boolean isLost() {
        return isLost;
    }

    Future<Void> close() {
        return session.close();
    }
}
