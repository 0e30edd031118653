package io.queenmq.engine.connection;

import io.queenmq.engine.time.Timers;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Opens sessions within a time limit, and asks in a session of its own about another one. Owned by the engine loop. */
final class TimedSessions {
    private final Sessions sessions;
    private final Supplier<DatabaseHistory.Question> questions;
    private final long connectWithinNs;
    private final Timers timers;
    private boolean isClosed;

    /**
     * @param questions asks for the history of the database that a session reaches
     * @param connectWithinNs how long opening a session may take
     */
    TimedSessions(Sessions sessions, Supplier<DatabaseHistory.Question> questions, long connectWithinNs,
            Timers timers) {
        this.questions = questions;
        this.sessions = sessions;
        this.connectWithinNs = connectWithinNs;
        this.timers = timers;
    }

    Future<Session> open() {
        Promise<Session> opened = Promise.promise();
        Timers.Alarm alarm = timers.after(connectWithinNs,
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
     * Asks what became of a call; never fails.
     *
     * @param processId of the session that makes the call
     * @param mustEnd whether it is too late for an answer
     */
    Future<Enquiry> enquire(int processId, boolean mustEnd) {
        return open().compose(session -> within(session,
                session.ask(Enquiry.SQL, Enquiry.arguments(processId, mustEnd, session.processId())))
                .onSuccess(_ -> session.close()))
                .map(rows -> Enquiry.of(rows, mustEnd))
                // One that says no is there, but cannot tell; then only time decides.
                .otherwise(cause -> cause instanceof PgException && !mustEnd ? Enquiry.WORKING : Enquiry.UNREACHABLE);
    }

    /**
     * Compares the history of the database that a session reached. Fails as if the session were lost when it must not be used.
     *
     * @param isLost whether the session was lost meanwhile
     */
    Future<Void> admit(Session session, BooleanSupplier isLost) {
        DatabaseHistory.Question question = questions.get();
        return within(session, session.identify()).transform(identity -> {
            String refusal = identity.failed()
                    ? "the history of the database cannot be read: " + identity.cause().getMessage()
                    : isLost.getAsBoolean() ? "connection lost" : question.admit(identity.result());
            return refusal == null
                    ? Future.succeededFuture()
                    : Future.failedFuture(new VertxException(refusal, true));
        });
    }

    /** The answer to a call; a session that does not give it in time is dropped. */
    private <T> Future<T> within(Session session, Future<T> answer) {
        Promise<T> bounded = Promise.promise();
        Timers.Alarm alarm = timers.after(connectWithinNs + 1_000_000_000, () -> {
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

    /** Sessions that are still being opened are dropped. */
    void close() {
        isClosed = true;
    }
}
