package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a dedicated connection for pushes that transactions of applications have committed with {@code queen.push}. A
 * lost or silent connection is replaced; waiting pops find pushes that were missed meanwhile by polling. One listener covers
 * all shards, also on Citus: such transactions are committed on the server that contains the catalog. Owned by the engine loop.
 */
public final class Announcements {
    private static final Logger log = LoggerFactory.getLogger(Announcements.class);
    private static final String LISTEN = "listen queen_pushed";
    private static final long RECONNECT_MS = 1_000;

    private final Vertx vertx;
    private final SessionPool pool;
    private final Consumer<String> onPushed;
    private @Nullable Heartbeat heartbeat;
    private boolean isLossLogged;
    private boolean isClosed;

    /** @param onPushed called with the name of the queue */
    public Announcements(Vertx vertx, DatabaseConfig database, Consumer<String> onPushed) {
        this.vertx = vertx;
        this.onPushed = onPushed;
        this.pool = new SessionPool(vertx, database, SessionOptions.forListening(database), 1, 1);
    }

    /** Starts to listen, and retries until PostgreSQL accepts a connection. */
    public void open() {
        pool.take().compose(this::listenOn).onComplete(listening -> {
            if (listening.failed()) {
                report(listening.cause());
                reopenLater();
            } else {
                isLossLogged = false;
            }
        });
    }

    private Future<Void> listenOn(SqlConnection connection) {
        PgConnection session = PgConnection.cast(connection);
        session.notificationHandler(each -> onPushed.accept(each.getPayload()));
        Heartbeat started = pool.restOn(session);
        heartbeat = started;
        return session.query(LISTEN).execute().onComplete(listening -> {
            if (listening.failed()) {
                release(session, started);
            } else {
                session.closeHandler(_ -> {
                    release(session, started);
                    report(null);
                    reopenLater();
                });
            }
        }).mapEmpty();
    }

    /** Replaces the connection, because it may lead to a server that has been replaced. */
    public void renew() {
        pool.renew();
    }

    private void release(PgConnection session, Heartbeat started) {
        started.close();
        pool.giveBack(session);
    }

    private void reopenLater() {
        vertx.setTimer(RECONNECT_MS, _ -> {
            if (!isClosed) {
                open();
            }
        });
    }

    /** Logs the loss of the connection once per outage. */
    private void report(@Nullable Throwable cause) {
        if (!isLossLogged && !isClosed) {
            log.warn("LISTEN connection lost, reconnecting every {} ms: {}", RECONNECT_MS,
                    cause == null ? "closed by PostgreSQL" : cause.toString());
        }
        isLossLogged = true;
    }

    public Future<Void> close() {
        isClosed = true;
        if (heartbeat != null) {
            heartbeat.close();
        }
        return pool.close();
    }
}
