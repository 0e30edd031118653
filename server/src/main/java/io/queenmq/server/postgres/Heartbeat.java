package io.queenmq.server.postgres;

import io.queenmq.engine.time.Clock;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;

/**
 * Asks now and then whether PostgreSQL is still there, on a connection that somebody keeps or waits for. Answers come in
 * order, so a call that is not answered keeps the heartbeat from being answered, too: then the connection is cut, and
 * whoever waits is told. Safe from any thread.
 */
public final class Heartbeat implements AutoCloseable {
    private final Vertx vertx;
    private final SqlConnection connection;
    private final long answerWithinNs;
    private final long timerId;
    private long askedNs;
    private boolean isUnanswered;

    private Heartbeat(Vertx vertx, SqlConnection connection, Duration every, Duration answerWithin) {
        this.vertx = vertx;
        this.connection = connection;
        this.answerWithinNs = answerWithin.toNanos();
        this.timerId = vertx.setPeriodic(every.toMillis(), _ -> beat());
    }

    /**
     * Begins; it has to be closed before the connection is given back.
     *
     * @param answerWithin longer than any statement before it may take
     */
    static Heartbeat on(Vertx vertx, SqlConnection connection, Duration every, Duration answerWithin) {
        return new Heartbeat(vertx, connection, every, answerWithin);
    }

    private synchronized void beat() {
        long nowNs = Clock.SYSTEM.nowNs();
        if (!isUnanswered) {
            isUnanswered = true;
            askedNs = nowNs;
            connection.query("select").execute().onComplete(_ -> onAnswer());
        } else if (nowNs - askedNs > answerWithinNs) {
            Wire.cut(connection);
        }
    }

    private synchronized void onAnswer() {
        isUnanswered = false;
    }

    @Override
    public void close() {
        vertx.cancelTimer(timerId);
    }
}
