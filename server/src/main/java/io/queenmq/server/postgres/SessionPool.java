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
 * A connection pool for all parts of the server except the engine. A connection without responses is closed and replaced; a
 * call waits for its response at most {@link #silenceMax}. Opened and closed by its user; safe from any thread.
 */
public final class SessionPool {
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Logger log = LoggerFactory.getLogger(SessionPool.class);
    private static final Duration IDLE_MAX = Duration.ofSeconds(60);
    private static final Duration BEAT_IN_USE = Duration.ofSeconds(1);
    private static final Duration BEAT_IDLE = Duration.ofSeconds(10);
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

    /** @param options of its sessions, from {@link SessionOptions} */
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
        int connectWithinMs = (int) database.timeouts().connect().toMillis();
        PoolOptions size = new PoolOptions().setMaxSize(connections).setMaxWaitQueueSize(waitingMax)
                .setConnectionTimeout(connectWithinMs).setConnectionTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) IDLE_MAX.toSeconds()).setIdleTimeoutUnit(TimeUnit.SECONDS);
        NetClientOptions network = new NetClientOptions().setConnectTimeout(connectWithinMs).setTcpKeepAlive(true)
                .setTcpUserTimeout((int) silenceMax(database).toMillis());
        return PgBuilder.pool().with(size).with(network).connectingTo(options).using(vertx)
                .withConnectHandler(
                        connection -> SessionOptions.liftTransactionTimeout(connection).onSuccess(SqlConnection::close))
                .build();
    }

    /**
     * Returns the maximum wait for a response. It is longer than the statement timeout, after which PostgreSQL responds with
     * an error.
     */
    public static Duration silenceMax(DatabaseConfig database) {
        return database.timeouts().statement().plus(SILENCE_EXTRA);
    }

    /** Runs the work with a connection, which returns to the pool when the work has ended. */
    public <T> Future<T> withConnection(Function<SqlConnection, Future<T>> work) {
        return take().compose(connection -> {
            Heartbeat heartbeat = heartbeat(connection, BEAT_IN_USE);
            return Future.succeededFuture(connection).compose(work).eventually(() -> {
                heartbeat.close();
                return giveBack(connection);
            });
        });
    }

    /** Runs the work in a transaction, which is rolled back if the work fails. */
    public <T> Future<T> withTransaction(Function<SqlConnection, Future<T>> work) {
        return withConnection(connection -> connection.begin()
                .compose(transaction -> Future.succeededFuture(connection).compose(work).compose(
                        done -> transaction.commit().map(done),
                        failure -> transaction.rollback().transform(_ -> Future.failedFuture(failure)))));
    }

    /**
     * Takes a connection out of the pool. It must be returned with {@link #giveBack}, and needs a {@link #restOn heartbeat}
     * while idle.
     */
    public Future<SqlConnection> take() {
        Pool used = current();
        return used.getConnection().onFailure(_ -> onUnavailable(used)).onSuccess(_ -> count(1));
    }

    public Future<Void> giveBack(SqlConnection connection) {
        count(-1);
        return connection.close();
    }

    /** Starts a heartbeat on a connection that is idle most of the time, so that its silence is detected. */
    public Heartbeat restOn(SqlConnection connection) {
        return heartbeat(connection, BEAT_IDLE);
    }

    private Heartbeat heartbeat(SqlConnection connection, Duration every) {
        return Heartbeat.on(vertx, connection, every, database.timeouts().statement().plus(BEAT_ANSWER_EXTRA));
    }

    private synchronized Pool current() {
        return pool;
    }

    private synchronized void count(int change) {
        taken += change;
    }

    /** Replaces the pool if no connection is in use and still none is available: then all attempts to connect are stuck. */
    private synchronized void onUnavailable(Pool used) {
        if (taken == 0 && used == pool && !isClosed) {
            log.debug("no connection to PostgreSQL within the timeout, replacing the connection pool");
            pool = build();
            used.close();
        }
    }

    /**
     * Closes all connections, including those in use, and opens others on demand. Must be called when the database has another
     * history, because a connection may lead to a server that has been replaced.
     */
    public synchronized void renew() {
        if (!isClosed) {
            Pool old = pool;
            pool = build();
            old.close();
        }
    }

    /**
     * Closes the sessions, and waits a limited time. PostgreSQL itself detects the end of a session that does not close in
     * that time.
     */
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
