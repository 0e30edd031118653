package io.queenmq.engine.harness;

import io.queenmq.engine.connection.DatabaseIdentity;
import io.queenmq.engine.connection.Session;
import io.queenmq.engine.connection.Sessions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Sessions with scripted results. Records all calls in order. */
public final class ScriptedSessions implements Sessions {
    private final List<Scripted> opened = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();
    private BiFunction<String, Tuple, Future<RowSet<Row>>> script = (_, _) -> Future.succeededFuture();
    private boolean isReachable = true;
    private boolean hasStandby = true;
    private Runnable onIdentify = () -> {};
    private DatabaseIdentity identity = new DatabaseIdentity(1L, 1, OffsetDateTime.MIN, 0L, 0L, false);

    /** @param script returns the result of every later call; a future that never completes simulates a silent connection */
    public void answer(BiFunction<String, Tuple, Future<RowSet<Row>>> script) {
        this.script = script;
    }

    public void setReachable(boolean isReachable) {
        this.isReachable = isReachable;
    }

    /** @param hasStandby whether the first commit of a new connection completes */
    public void setStandby(boolean hasStandby) {
        this.hasStandby = hasStandby;
    }

    /** Sets the database history that every session reads from now on. */
    public void setIdentity(DatabaseIdentity identity) {
        this.identity = identity;
    }

    /** @param task runs between the query of the history and its result */
    public void whenIdentified(Runnable task) {
        onIdentify = task;
    }

    /** Returns the texts of all calls so far, without the first commits of connections. */
    public List<String> calls() {
        return calls;
    }

    public int openedCount() {
        return opened.size();
    }

    public long droppedCount() {
        return opened.stream().filter(session -> session.isDropped).count();
    }

    @Override
    public Future<Session> open() {
        if (!isReachable) {
            return Future.failedFuture(new VertxException("connection refused", true));
        }
        Scripted session = new Scripted(opened.size() + 1);
        opened.add(session);
        return Future.succeededFuture(session);
    }

    /** Returns a future that never completes. */
    public static Future<RowSet<Row>> silence() {
        return Promise.<RowSet<Row>>promise().future();
    }

    private final class Scripted implements Session {
        private final int processId;
        private Runnable onClose = () -> {};
        private boolean isDropped;

        Scripted(int processId) {
            this.processId = processId;
        }

        @Override
        public Future<RowSet<Row>> call(String sql, Tuple arguments) {
            if (sql.startsWith("select pg_logical_emit_message")) {
                return hasStandby ? Future.succeededFuture() : silence();
            }
            calls.add(sql);
            return script.apply(sql, arguments);
        }

        @Override
        public Future<DatabaseIdentity> identify() {
            onIdentify.run();
            return Future.succeededFuture(identity);
        }

        @Override
        public int processId() {
            return processId;
        }

        @Override
        public void onClose(Runnable handler) {
            onClose = handler;
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }

        @Override
        public void drop() {
            if (!isDropped) {
                isDropped = true;
                onClose.run();
            }
        }
    }
}
