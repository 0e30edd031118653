package io.queenmq.server.upkeep;

import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.Heartbeat;
import io.queenmq.server.postgres.SessionOptions;
import io.queenmq.server.postgres.SessionPool;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The connection of upkeep, which may hold the lock that only one server has. Blocks; owned by the upkeep thread. */
final class UpkeepSession implements AutoCloseable {
    /** "queen.up" in ASCII. */
    private static final long LOCK_KEY = 0x717565656e2e7570L;
    /** So that the connection, which is cut after that time, can say so itself. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final SessionPool pool;
    private final Duration answerWithin;
    private SqlConnection connection;
    private Heartbeat heartbeat;
    private String shard = Shards.name(0);
    private volatile boolean isLost;

    private UpkeepSession(Vertx vertx, DatabaseConfig database, Schema.Installed installed) {
        this.pool = new SessionPool(vertx, database, SessionOptions.forUpkeep(database, installed), 1, 1);
        this.answerWithin = SessionPool.silenceMax(database).plus(GRACE);
    }

    static UpkeepSession open(Vertx vertx, DatabaseConfig database, Schema.Installed installed)
            throws TimeoutException {
        UpkeepSession session = new UpkeepSession(vertx, database, installed);
        try {
            session.connection = await(session.pool.take(), database.connectTimeout().plus(GRACE));
            session.connection.closeHandler(_ -> session.isLost = true);
            session.heartbeat = session.pool.restOn(session.connection);
            return session;
        } catch (TimeoutException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** Whether this server may do upkeep from now on, until the session ends. */
    boolean tryLock() throws TimeoutException {
        return call("select pg_try_advisory_lock($1)", Tuple.of(LOCK_KEY)).getBoolean(0);
    }

    /** Makes what is called from now on speak of one shard. */
    void turnTo(String shard) throws TimeoutException {
        if (!shard.equals(this.shard)) {
            call("select set_config('search_path', $1, false)", Tuple.of(Shards.path(shard)));
            this.shard = shard;
        }
    }

    /** The one row that a routine answers. */
    Row call(String sql, Tuple arguments) throws TimeoutException {
        return await(connection.preparedQuery(sql).execute(arguments), answerWithin).iterator().next();
    }

    /** All rows that a routine answers. */
    RowSet<Row> rows(String sql, Tuple arguments) throws TimeoutException {
        return await(connection.preparedQuery(sql).execute(arguments), answerWithin);
    }

    /** The shard that calls speak of. */
    String shard() {
        return shard;
    }

    /** Ends the session, and with it the lock. Safe from any thread. */
    void end() {
        pool.renew();
    }

    /** Whether the session has ended, and with it the lock. */
    boolean isLost() {
        return isLost;
    }

    @Override
    public void close() {
        if (heartbeat != null) {
            heartbeat.close();
        }
        pool.close().await();
    }

    private static <T> T await(Future<T> future, Duration within) throws TimeoutException {
        return future.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }
}
