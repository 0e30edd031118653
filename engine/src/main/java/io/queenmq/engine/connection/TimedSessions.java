package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Opens sessions with a timeout, and checks sessions that do not answer in a separate session. Owned by the engine loop. */
final class TimedSessions {
    private final Sessions sessions;
    private final Supplier<DatabaseHistory.IdentityCheck> checks;
    private final long connectTimeoutNs;
    private final Timers timers;
    private boolean isClosed;

    /**
     * @param checks begins the check of the database history of a session
     * @param connectTimeoutNs the maximum time to open a session
     */
    TimedSessions(Sessions sessions, Supplier<DatabaseHistory.IdentityCheck> checks, long connectTimeoutNs,
            Timers timers) {
        this.checks = checks;
        this.sessions = sessions;
        this.connectTimeoutNs = connectTimeoutNs;
        this.timers = timers;
    }

    Future<Session> open() {
        Promise<Session> opened = Promise.promise();
        Timers.Alarm alarm = timers.after(connectTimeoutNs,
                () -> opened.tryFail("PostgreSQL did not accept a connection in time"));
        sessions.open().onComplete(session -> {
            alarm.cancel();
            if (session.failed()) {
                opened.tryFail(session.cause());
            } else if (isClosed || !opened.tryComplete(session.result())) {
                session.result().drop();
            }
        });
        return opened.future();
    }

    /**
     * Checks the session of a call that is not answered. Never fails.
     *
     * @param processId the process of the session
     * @param mustEnd true if the call has timed out
     */
    Future<SilentSessionCheck> check(int processId, boolean mustEnd) {
        return open()
                .compose(session -> within(session,
                        session.ask(SilentSessionCheck.SQL,
                                SilentSessionCheck.arguments(processId, mustEnd, session.processId())))
                        .onSuccess(_ -> session.close()))
                .map(rows -> SilentSessionCheck.of(rows, mustEnd))
                // PostgreSQL is reachable, but rejected the query. Then only the timeout of the call decides.
                .otherwise(cause -> cause instanceof PgException && !mustEnd
                        ? SilentSessionCheck.WORKING
                        : SilentSessionCheck.UNREACHABLE);
    }

    /**
     * Compares the history of the database of a session. Fails like a lost session if the session must not be used.
     *
     * @param isLost returns true if the session was lost meanwhile
     */
    Future<Void> admit(Session session, BooleanSupplier isLost) {
        DatabaseHistory.IdentityCheck check = checks.get();
        return within(session, session.identify()).transform(identity -> {
            String refusal = identity.failed()
                    ? "the history of the database cannot be read: " + identity.cause().getMessage()
                    : isLost.getAsBoolean() ? "connection lost" : check.admit(identity.result());
            return refusal == null ? Future.succeededFuture() : Future.failedFuture(new VertxException(refusal, true));
        });
    }

    /** Returns the answer to a call. Drops the session if there is no answer in time. */
    private <T> Future<T> within(Session session, Future<T> answer) {
        Promise<T> bounded = Promise.promise();
        Timers.Alarm alarm = timers.after(connectTimeoutNs + 1_000_000_000, () -> {
            session.drop();
            bounded.tryFail("PostgreSQL did not answer in time");
        });
        answer.onComplete(done -> {
            alarm.cancel();
            if (done.succeeded()) {
                bounded.tryComplete(done.result());
            } else {
                session.drop();
                bounded.tryFail(done.cause());
            }
        });
        return bounded.future();
    }

    /** Drops sessions that are being opened. */
    void close() {
        isClosed = true;
    }
}
