package io.queenmq.server.postgres;

import io.queenmq.engine.time.Clock;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;

/**
 * Sends an empty query periodically on a connection that is in use or kept open. Responses arrive in the order of the calls,
 * so a call without a response also delays the response to the heartbeat. If that response is overdue, the connection is
 * closed, which fails the pending calls. Safe from any thread.
 */
public final class Heartbeat implements AutoCloseable {
    private final Vertx vertx;
    private final SqlConnection connection;
    private final long answerWithinNs;
    private final long timerId;
    private long sentNs;
    private boolean isPending;

    private Heartbeat(Vertx vertx, SqlConnection connection, Duration every, Duration answerWithin) {
        this.vertx = vertx;
        this.connection = connection;
        this.answerWithinNs = answerWithin.toNanos();
        this.timerId = vertx.setPeriodic(every.toMillis(), _ -> beat());
    }

    /**
     * Starts a heartbeat. It must be closed before the connection is returned to its pool.
     *
     * @param answerWithin the maximum time for a response; must be longer than any statement may take
     */
    static Heartbeat on(Vertx vertx, SqlConnection connection, Duration every, Duration answerWithin) {
        return new Heartbeat(vertx, connection, every, answerWithin);
    }

    private synchronized void beat() {
        long nowNs = Clock.SYSTEM.nowNs();
        if (!isPending) {
            isPending = true;
            sentNs = nowNs;
            connection.query("select").execute().onComplete(_ -> onResponse());
        } else if (nowNs - sentNs > answerWithinNs) {
            Wire.cut(connection);
        }
    }

    private synchronized void onResponse() {
        isPending = false;
    }

    @Override
    public void close() {
        vertx.cancelTimer(timerId);
    }
}
