package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.SqlConnection;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears when a transaction of somebody's own program has pushed to a queue, on a connection that does nothing else. One
 * that is lost or has gone silent is opened again; what was missed meanwhile is found by those who wait, a little later.
 * One listener is enough for all shards: such pushes are made on the server that has the catalog, also where shards are on
 * nodes of Citus, because its coordinator is where they are committed. Owned by the engine loop.
 */
public final class Announcements {
    private static final Logger log = LoggerFactory.getLogger(Announcements.class);
    private static final String LISTEN = "listen queen_pushed";
    private static final long RECONNECT_MS = 1_000;

    private final Vertx vertx;
    private final SessionPool pool;
    private final Consumer<String> onPushed;
    private Heartbeat heartbeat;
    private boolean wasDeaf;
    private boolean isClosed;

    /** @param onPushed is told the name of the queue */
    public Announcements(Vertx vertx, DatabaseConfig database, Consumer<String> onPushed) {
        this.vertx = vertx;
        this.onPushed = onPushed;
        this.pool = new SessionPool(vertx, database, SessionOptions.forListening(database), 1, 1);
    }

    /** Begins to listen, now or as soon as PostgreSQL can be reached. */
    public void open() {
        pool.take().compose(this::listenOn).onComplete(listening -> {
            if (listening.failed()) {
                report(listening.cause());
                openLater();
            } else {
                wasDeaf = false;
            }
        });
    }

    private Future<Void> listenOn(SqlConnection connection) {
        PgConnection session = PgConnection.cast(connection);
        session.notificationHandler(each -> onPushed.accept(each.getPayload()));
        heartbeat = pool.restOn(session);
        return session.query(LISTEN).execute().onComplete(listening -> {
            if (listening.failed()) {
                endOf(session);
            } else {
                session.closeHandler(_ -> {
                    endOf(session);
                    report(null);
                    openLater();
                });
            }
        }).mapEmpty();
    }

    /** Listens on another connection: this one may lead to a server that has been replaced. */
    public void renew() {
        pool.renew();
    }

    private void endOf(PgConnection session) {
        heartbeat.close();
        pool.giveBack(session);
    }

    private void openLater() {
        vertx.setTimer(RECONNECT_MS, _ -> {
            if (!isClosed) {
                open();
            }
        });
    }

    /** Said once, however long it lasts. */
    private void report(Throwable cause) {
        if (!wasDeaf && !isClosed) {
            log.warn("nobody listens for announcements until PostgreSQL is back{}", cause == null ? "" : ": " + cause);
        }
        wasDeaf = true;
    }

    public Future<Void> close() {
        isClosed = true;
        if (heartbeat != null) {
            heartbeat.close();
        }
        return pool.close();
    }
}
