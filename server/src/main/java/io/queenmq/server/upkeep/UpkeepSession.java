package io.queenmq.server.upkeep;

import io.queenmq.server.config.DatabaseConfig;
import io.queenmq.server.postgres.SessionOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The connection of upkeep, which may hold the lock that only one server has. Blocks; owned by the upkeep thread. */
final class UpkeepSession implements AutoCloseable {
    /** "queen.up" in ASCII. */
    private static final long LOCK_KEY = 0x717565656e2e7570L;
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final PgConnection connection;
    private final Duration answerWithin;

    private UpkeepSession(PgConnection connection, Duration answerWithin) {
        this.connection = connection;
        this.answerWithin = answerWithin;
    }

    static UpkeepSession open(Vertx vertx, DatabaseConfig database) throws TimeoutException {
        Future<PgConnection> connecting = PgConnection.connect(vertx, SessionOptions.forUpkeep(database));
        try {
            return new UpkeepSession(await(connecting, database.connectTimeout()),
                    database.statementTimeout().plusSeconds(5));
        } catch (TimeoutException e) {
            connecting.onSuccess(PgConnection::close);
            throw e;
        }
    }

    /** Whether this server may do upkeep from now on, until the session ends. */
    boolean tryLock() throws TimeoutException {
        return call("select pg_try_advisory_lock($1)", Tuple.of(LOCK_KEY)).getBoolean(0);
    }

    /** The one row that a routine answers. */
    Row call(String sql, Tuple arguments) throws TimeoutException {
        return await(connection.preparedQuery(sql).execute(arguments), answerWithin).iterator().next();
    }

    @Override
    public void close() {
        try {
            await(connection.close(), CLOSE_WITHIN);
        } catch (TimeoutException _) {
            // PostgreSQL will find out by itself.
        }
    }

    private static <T> T await(Future<T> future, Duration within) throws TimeoutException {
        return future.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }
}
