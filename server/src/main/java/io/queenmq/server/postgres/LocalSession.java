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
 * A session on the node of a Citus cluster that holds a shard. What messages need most is called on the tables of the shard
 * themselves, while the shard is held on that node: that costs what it costs without Citus. All else goes through Citus, and
 * so does everything once the shard was found to be elsewhere: then connections are opened anew where it is. Called on the
 * engine loop.
 */
final class LocalSession implements Session {
    private static final Logger log = LoggerFactory.getLogger(LocalSession.class);
    private static final String MOVED = RoutineError.SHARD_MOVED.state();

    /** Those that only read the catalog, and concern no other shard. */
    private static final Set<String> ROUTINES = Set.of("push", "catch_up", "acceptances", "find_hashes", "lease",
            "fetch", "ack", "nack", "renew",
            "release",
            "resolve", "has_pending", "touch_partitions");

    private final Session session;
    private final String api;
    private final String shard;
    private final long number;
    /** What is sent instead of a statement. */
    private final Map<String, String> statements = new HashMap<>();
    private boolean isElsewhere;

    private LocalSession(Session session, String api, String shard, long number) {
        this.session = session;
        this.api = api;
        this.shard = shard;
        this.number = number;
    }

    /**
     * A session that works on the tables of the shard themselves, if they are on the node it leads to; otherwise the session
     * as it is.
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
            log.warn("{} is reached through Citus only: {}", shard, cause.getMessage());
            return Future.succeededFuture(session);
        });
    }

    @Override
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
        String statement = isElsewhere ? sql : statements.computeIfAbsent(sql, this::statementFor);
        if (statement.equals(sql)) {
            return session.call(sql, arguments);
        }
        return session.call(statement, arguments).recover(cause -> {
            if (!isMoved(cause)) {
                return Future.failedFuture(cause);
            }
            log.info("{} was moved, and is reached through Citus until its new node is known", shard);
            isElsewhere = true;
            // Nothing has happened when the shard could not be held.
            return session.call(sql, arguments);
        });
    }

    private String statementFor(String sql) {
        return ROUTINES.stream().anyMatch(routine -> sql.contains(api + "." + routine + "(")) ? holding(sql) : sql;
    }

    /** The shard is held before the routine is called, because whether it is called depends on the answer. */
    private String holding(String sql) {
        return "select r.* from (select " + api + ".hold_shard('" + shard + "', " + number + ") as is_held offset 0) h"
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
