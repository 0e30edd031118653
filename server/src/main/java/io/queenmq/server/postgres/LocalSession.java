package io.queenmq.server.postgres;

import io.queenmq.engine.connection.DatabaseIdentity;
import io.queenmq.engine.connection.Session;
import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.schema.RoutineError;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session on the node of a Citus cluster that contains a shard. The most frequent routines are called on the local tables
 * of the shard, while a lock prevents that the shard is moved to another node; such a call costs as much as without Citus. All
 * other calls, and all calls after the shard was moved, are executed through Citus until the session is replaced by one to the
 * new node. Called on the engine loop.
 */
final class LocalSession implements Session {
    private static final Logger log = LoggerFactory.getLogger(LocalSession.class);
    private static final String MOVED = RoutineError.SHARD_MOVED.state();

    /** The routines that only read the catalog and concern one shard. */
    private static final Set<String> ROUTINES = Set.of("push", "catch_up", "acceptances", "find_hashes", "lease",
            "fetch", "ack", "nack", "renew", "release", "resolve", "has_pending", "touch_partitions");

    private final Session session;
    private final String api;
    private final String shard;
    private final long number;
    /** The local form of each statement. */
    private final Map<String, String> localForms = new HashMap<>();
    private boolean wasMoved;

    private LocalSession(Session session, String api, String shard, long number) {
        this.session = session;
        this.api = api;
        this.shard = shard;
        this.number = number;
    }

    /**
     * Returns a session that uses the local tables of the shard if they are on the node of the session; otherwise the session
     * itself.
     *
     * @param api the schema of the routines
     * @param shard the schema of the shard
     */
    static Future<Session> of(Session session, String api, String shard) {
        return session.ask("select " + api + ".prepare_local($1)", Tuple.of(shard)).map(rows -> {
            Long number = rows.iterator().next().getLong(0);
            return number == null ? session : new LocalSession(session, api, shard, number);
        }).recover(cause -> {
            if (SqlFailure.of(cause) == SqlFailure.LOST) {
                session.drop();
                return Future.failedFuture(cause);
            }
            log.warn("local tables of shard {} not available, its calls use Citus: {}", shard, cause.getMessage());
            return Future.succeededFuture(session);
        });
    }

    @Override
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        String statement = wasMoved ? sql : localForms.computeIfAbsent(sql, this::localForm);
        if (statement.equals(sql)) {
            return session.call(sql, arguments);
        }
        return session.call(statement, arguments).recover(cause -> {
            if (!isMoved(cause)) {
                return Future.failedFuture(cause);
            }
            log.info("shard {} was moved, its calls use Citus until its new node is known", shard);
            wasMoved = true;
            // The rejected call changed nothing.
            return session.call(sql, arguments);
        });
    }

    private String localForm(String sql) {
        return ROUTINES.stream().anyMatch(routine -> sql.contains(api + "." + routine + "("))
                ? withShardLock(sql)
                : sql;
    }

    /** Locks the shard before the routine is called: the condition on the result of the lock prevents another order. */
    private String withShardLock(String sql) {
        return "select r.* from (select " + api + ".lock_shard('" + shard + "', " + number + ") as is_held offset 0) h"
                + " cross join lateral (select q.* from (" + sql + ") q where h.is_held offset 0) r";
    }

    private static boolean isMoved(Throwable cause) {
        return cause instanceof PgException failure && MOVED.equals(failure.getSqlState());
    }

    @Override
    public Future<RowSet<Row>> ask(String sql, Tuple arguments) {
        return session.ask(sql, arguments);
    }

    @Override
    public Future<DatabaseIdentity> identify() {
        return session.identify();
    }

    @Override
    public int processId() {
        return session.processId();
    }

    @Override
    public void onClose(Runnable handler) {
        session.onClose(handler);
    }

    @Override
    public Future<Void> close() {
        return session.close();
    }

    @Override
    public void drop() {
        session.drop();
    }
}
