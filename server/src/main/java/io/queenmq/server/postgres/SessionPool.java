package io.queenmq.server.postgres;

import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections for everybody but the engine. One that PostgreSQL does not answer on is cut and replaced, and nobody waits
 * for an answer longer than {@link #silenceMax}. Opened and closed by its user; safe from any thread.
 */
public final class SessionPool {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(SessionPool.class);
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);
    private static final Duration BEAT_IN_USE = Duration.ofSeconds(1);
    private static final Duration BEAT_AT_REST = Duration.ofSeconds(10);
    private static final Duration BEAT_ANSWER_EXTRA = Duration.ofSeconds(3);
    private static final Duration SILENCE_EXTRA = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final DatabaseConfig database;
    private final PgConnectOptions options;
    private final int connections;
    private final int waitingMax;
    private Pool pool;
    private int taken;
    private boolean isClosed;

    /** @param options how its sessions are opened, from {@link SessionOptions} */
    public SessionPool(Vertx vertx, DatabaseConfig database, PgConnectOptions options, int connections,
            int waitingMax) {
        this.vertx = vertx;
        this.database = database;
        this.options = options;
        this.connections = connections;
        this.waitingMax = waitingMax;
        this.pool = build();
    }

    private Pool build() {
        int connectWithinMs = (int) database.connectTimeout().toMillis();
        PoolOptions size = new PoolOptions().setMaxSize(connections).setMaxWaitQueueSize(waitingMax)
                .setConnectionTimeout(connectWithinMs).setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) IDLE_MAX.toSeconds()).setIdleTimeoutUnit(TimeUnit.SECONDS);
        NetClientOptions network = new NetClientOptions().setConnectTimeout(connectWithinMs).setTcpKeepAlive(true)
                .setTcpUserTimeout((int) silenceMax(database).toMillis());
        return PgBuilder.pool().with(size).with(network).connectingTo(options).using(vertx)
                .withConnectHandler(connection -> SessionOptions.liftTransactionTimeout(connection)
                        .onSuccess(SqlConnection::close))
                .build();
    }

    /** How long an answer is waited for: a statement that takes as long is ended by PostgreSQL, which then says so. */
    public static Duration silenceMax(DatabaseConfig database) {
        return database.statementTimeout().plus(SILENCE_EXTRA);
    }

    /** Lends a connection for as long as the work takes. */
    public <T> Future<T> withConnection(Function<SqlConnection, Future<T>> work) {
        return take().compose(connection -> {
            Heartbeat heartbeat = heartbeat(connection, BEAT_IN_USE);
            return Future.succeededFuture(connection).compose(work).eventually(() -> {
                heartbeat.close();
                return giveBack(connection);
            });
        });
    }

    /** The same in a transaction, which is rolled back when the work fails. */
    public <T> Future<T> withTransaction(Function<SqlConnection, Future<T>> work) {
        return withConnection(connection -> connection.begin().compose(transaction -> Future
                .succeededFuture(connection).compose(work)
                .compose(done -> transaction.commit().map(done),
                        failure -> transaction.rollback().transform(_ -> Future.failedFuture(failure)))));
    }

    /** A connection for somebody who keeps it; it is to be given back, and wants a {@link #restOn heartbeat} if it rests. */
    public Future<SqlConnection> take() {
        Pool asked = current();
        return asked.getConnection().onFailure(_ -> onRefused(asked)).onSuccess(_ -> count(1));
    }

    public Future<Void> giveBack(SqlConnection connection) {
        count(-1);
        return connection.close();
    }

    /** For a connection that is kept and rests most of the time: finds out when it has gone silent. */
    public Heartbeat restOn(SqlConnection connection) {
        return heartbeat(connection, BEAT_AT_REST);
    }

    private Heartbeat heartbeat(SqlConnection connection, Duration every) {
        return Heartbeat.on(vertx, connection, every, database.statementTimeout().plus(BEAT_ANSWER_EXTRA));
    }

    private synchronized Pool current() {
        return pool;
    }

    private synchronized void count(int change) {
        taken += change;
    }

    /** When nobody has a connection and yet there is none, all of them hang where they are opened: others are tried. */
    private synchronized void onRefused(Pool asked) {
        if (taken == 0 && asked == pool && !isClosed) {
            log.debug("PostgreSQL gives no connection in time, others are opened");
            pool = build();
            asked.close();
        }
    }

    /**
     * Closes all connections, also those in use, and opens others when they are needed: the database has another history, and a
     * connection may lead to a server that has been replaced.
     */
    public synchronized void renew() {
        if (!isClosed) {
            Pool old = pool;
            pool = build();
            old.close();
        }
    }

    /** Ends the sessions; one that does not end politely is left to PostgreSQL, which finds out by itself. */
    public synchronized Future<Void> close() {
        isClosed = true;
        Promise<Void> closed = Promise.promise();
        long timer = vertx.setTimer(CLOSE_WITHIN.toMillis(), _ -> closed.tryComplete());
        pool.close().onComplete(_ -> {
            vertx.cancelTimer(timer);
            closed.tryComplete();
        });
        return closed.future();
    }
}
