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

/** The connection of upkeep. It acquires the lock that at most one server has. Blocks; owned by the upkeep thread. */
final class UpkeepSession implements AutoCloseable {
    /** "queen.up" in ASCII. */
    private static final long LOCK_KEY = 0x717565656e2e7570L;
    /** Lets the heartbeat fail the connection first, so that its error is reported instead of a timeout. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final SessionPool pool;
    private final Duration answerWithin;
    private final SqlConnection connection;
    private final Heartbeat heartbeat;
    private String shard = Shards.name(0);
    private volatile boolean isLost;

    private UpkeepSession(SessionPool pool, SqlConnection connection, Duration answerWithin) {
        this.pool = pool;
        this.connection = connection;
        this.answerWithin = answerWithin;
        this.heartbeat = pool.restOn(connection);
        connection.closeHandler(_ -> isLost = true);
    }

    static UpkeepSession open(Vertx vertx, DatabaseConfig database, Schema.Installed installed)
            throws TimeoutException {
        SessionPool pool = new SessionPool(vertx, database, SessionOptions.forUpkeep(database, installed), 1, 1);
        try {
            SqlConnection connection = await(pool.take(), database.timeouts().connect().plus(GRACE));
            return new UpkeepSession(pool, connection, SessionPool.silenceMax(database).plus(GRACE));
        } catch (TimeoutException | RuntimeException e) {
            pool.close().await();
            throw e;
        }
    }

    /** Tries to acquire the lock of upkeep, which is released when the session ends. Returns true if this server has it. */
    boolean tryLock() throws TimeoutException {
        return call("select pg_try_advisory_lock($1)", Tuple.of(LOCK_KEY)).getBoolean(0);
    }

    /** Selects the shard of all following calls. */
    void selectShard(String shard) throws TimeoutException {
        if (!shard.equals(this.shard)) {
            call("select set_config('search_path', $1, false)", Tuple.of(Shards.path(shard)));
            this.shard = shard;
        }
    }

    /** Calls a routine and returns its first row. */
    Row call(String sql, Tuple arguments) throws TimeoutException {
        return await(connection.preparedQuery(sql).execute(arguments), answerWithin).iterator().next();
    }

    /** Calls a routine and returns all its rows. */
    RowSet<Row> rows(String sql, Tuple arguments) throws TimeoutException {
        return await(connection.preparedQuery(sql).execute(arguments), answerWithin);
    }

    /** Returns the selected shard. */
    String shard() {
        return shard;
    }

    /** Ends the session, which releases the lock. Safe from any thread. */
    void end() {
        pool.renew();
    }

    /** Returns true if the session has ended, which has released the lock. */
    boolean isLost() {
        return isLost;
    }

    @Override
    public void close() {
        heartbeat.close();
        pool.close().await();
    }

    private static <T> T await(Future<T> future, Duration within) throws TimeoutException {
        return future.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }
}
