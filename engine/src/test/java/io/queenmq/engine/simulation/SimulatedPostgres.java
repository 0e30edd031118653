package io.queenmq.engine.simulation;

import io.queenmq.engine.connection.ConnectionPool.Durability;
import io.queenmq.engine.connection.DatabaseIdentity;
import io.queenmq.engine.connection.Session;
import io.queenmq.engine.connection.Sessions;
import io.queenmq.engine.connection.ShardConnections;
import io.queenmq.engine.simulation.store.Store;
import io.queenmq.engine.simulation.store.StoredRowSet;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The sessions of a {@link Store}, with the faults between a server and PostgreSQL. */
final class SimulatedPostgres {
    /** The result of connection attempts. */
    enum ConnectResult {
        OPEN,
        REFUSED,
        /** The connection attempt is never answered. */
        SILENT
    }

    private static final String IDENTIFY = "identify";
    private static final long CALL_NS_MIN = 200_000;
    private static final long CALL_NS_MAX = 20_000_000;
    private static final long LATE_NS_MAX = 40_000_000_000L;

    private final World world;
    private final Store store;
    private final int shards;
    private final Map<Integer, SimulatedSession> byProcess = new HashMap<>();
    private Faults faults = Faults.NONE;
    private final Map<Integer, ConnectResult> connectResults = new HashMap<>();
    private final Reverts reverts;
    private final Set<SimulatedServer> keptAway = new HashSet<>();
    private boolean isNextUnreadable;
    private int lastProcessId = 1_000;

    /**
     * @param shards the number of shards, each on its own node, like the catalog; a single shard is on the node of the
     * catalog
     */
    SimulatedPostgres(World world, Store store, int shards) {
        this.shards = shards;
        this.world = world;
        this.store = store;
        this.reverts = new Reverts(world, store);
    }

    Reverts reverts() {
        return reverts;
    }

    /** Returns to an earlier state, and ends all sessions. */
    void revertTo(Reverts.Savepoint savepoint, Reverts.Kind kind) {
        reverts.revertTo(savepoint, kind);
        endAllSessions();
    }

    /** Prevents a server from connecting. */
    void keepUnavailable(SimulatedServer server, boolean isKeptAway) {
        if (isKeptAway) {
            keptAway.add(server);
        } else {
            keptAway.remove(server);
        }
    }

    void meet(Faults now) {
        faults = now;
    }

    void setConnectResult(ConnectResult door) {
        connectResults.clear();
        for (int node = ShardConnections.CATALOG; node < shards; node++) {
            connectResults.put(node, door);
        }
    }

    /** Sets the result of connection attempts to one shard. */
    void setConnectResult(int shard, ConnectResult door) {
        connectResults.put(shard, door);
    }

    private ConnectResult connectResultOf(int shard) {
        return connectResults.getOrDefault(shard, ConnectResult.OPEN);
    }

    /** Ends every session of one shard. Calls in flight take no effect. */
    void endSessions(int shard) {
        sessionsOf(shard).forEach(SimulatedSession::end);
    }

    /** Makes every connection to one shard silent. */
    void silenceSessions(int shard) {
        sessionsOf(shard).forEach(session -> session.isSilent = true);
    }

    private List<SimulatedSession> sessionsOf(int shard) {
        return byProcess.values().stream().filter(session -> session.shard == shard).toList();
    }

    /** Ends every session, like a restart of PostgreSQL. Calls in flight take no effect. */
    void endAllSessions() {
        for (SimulatedSession session : List.copyOf(byProcess.values())) {
            session.end();
        }
    }

    /** Makes every connection silent: no reset, no response. */
    void silenceAllSessions() {
        for (SimulatedSession session : List.copyOf(byProcess.values())) {
            session.isSilent = true;
        }
    }

    /** Executes the next call, and makes its response unreadable. */
    void makeNextUnreadable() {
        isNextUnreadable = true;
    }

    int sessionCount() {
        return byProcess.size();
    }

    /** Handles queries of servers about silent sessions: whether one is active, or to end some. */
    private RowSet<Row> querySessions(Tuple arguments) {
        if (arguments.getValue(0) instanceof Integer[] processIds) {
            List<Object[]> ended = new ArrayList<>();
            for (Integer processId : processIds) {
                endIfThere(processId);
                ended.add(new Object[]{processId, true, true});
            }
            return new StoredRowSet(List.of("pid", "is_direct", "is_ended"), ended);
        }
        SimulatedSession target = byProcess.get(arguments.getInteger(0));
        boolean isWorking = target != null && target.isWorking && !arguments.getBoolean(1);
        if (!isWorking) {
            endIfThere(arguments.getInteger(0));
        }
        return new StoredRowSet(List.of("is_working", "is_direct", "is_replicating"),
                List.of(new Object[][]{{target == null ? null : isWorking, true, false}}));
    }

    private void endIfThere(int processId) {
        SimulatedSession target = byProcess.remove(processId);
        if (target != null) {
            target.end();
        }
    }

    int shards() {
        return shards;
    }

    /** Returns the sessions of one server in a shard or the catalog. A crashed server receives no events. */
    Sessions sessionsOf(SimulatedServer server, int shard, Durability durability) {
        return () -> {
            Promise<Session> opened = Promise.promise();
            ConnectResult met = connectResultOf(shard);
            if (met == ConnectResult.SILENT) {
                return opened.future();
            }
            world.after(world.someNs(CALL_NS_MIN, CALL_NS_MAX), server.whileAlive(() -> {
                if (met == ConnectResult.REFUSED || connectResultOf(shard) != ConnectResult.OPEN
                        || keptAway.contains(server)) {
                    opened.fail(new VertxException("connection refused", true));
                } else {
                    SimulatedSession session = new SimulatedSession(server, shard, durability, ++lastProcessId);
                    byProcess.put(session.processId, session);
                    opened.complete(session);
                }
            }));
            return opened.future();
        };
    }

    /** The server has ended; its last calls may still be executed. */
    void forget(SimulatedServer server) {
        byProcess.values().removeIf(session -> session.server == server);
    }

    private final class SimulatedSession implements Session {
        private final SimulatedServer server;
        private final int shard;
        private final int processId;
        private final List<Promise<RowSet<Row>>> open = new ArrayList<>();
        private final boolean isFlushed;
        private DatabaseIdentity identity;
        private int revertsBefore;
        private Runnable onClose = () -> {};
        private boolean isSilent;
        private boolean isWorking;
        private boolean isEnded;
        private boolean isClosed;

        SimulatedSession(SimulatedServer server, int shard, Durability durability, int processId) {
            this.isFlushed = durability == Durability.FLUSHED;
            this.shard = shard;
            this.server = server;
            this.processId = processId;
        }

        @Override
        public Future<RowSet<Row>> call(String sql, Tuple arguments) {
            if (isClosed) {
                return Future.failedFuture(new VertxException("connection is closed", true));
            }
            Promise<RowSet<Row>> answer = Promise.promise();
            open.add(answer);
            long effectNs = world.someNs(CALL_NS_MIN, CALL_NS_MAX);
            if (isSilent) {
                return answer.future();
            }
            if (world.happens(faults.lostBefore())) {
                world.after(effectNs, this::breakOff);
            } else if (world.happens(faults.lostAfter())) {
                world.after(effectNs, () -> {
                    execute(sql, arguments);
                    breakOff();
                });
            } else if (world.happens(faults.silent())) {
                isSilent = true;
                if (world.happens(0.7)) {
                    isWorking = true;
                    world.after(world.happens(0.5) ? effectNs : world.someNs(effectNs, LATE_NS_MAX),
                            () -> execute(sql, arguments));
                }
            } else if (world.happens(faults.failed())) {
                String state = Faults.STATES.get(world.random().nextInt(Faults.STATES.size()));
                world.after(effectNs, () -> {
                    answer(answer, Future.failedFuture(new PgException("simulated " + state, "ERROR", state, null)));
                    if (state.startsWith("57P")) {
                        breakOff();
                    }
                });
            } else {
                isWorking = true;
                long takesNs = world.happens(faults.slow()) ? world.someNs(effectNs, 4_000_000_000L) : effectNs;
                world.after(takesNs, () -> {
                    Future<RowSet<Row>> executed = execute(sql, arguments);
                    Future<RowSet<Row>> result = isNextUnreadable
                            ? Future.failedFuture(new SimulatedDefect())
                            : executed;
                    isNextUnreadable = false;
                    world.after(world.someNs(50_000, 2_000_000), () -> answer(answer, result));
                });
            }
            return answer.future();
        }

        private Future<RowSet<Row>> execute(String sql, Tuple arguments) {
            isWorking = false;
            if (isEnded) {
                return Future.failedFuture(new VertxException("the session was ended", true));
            }
            if (sql.equals(IDENTIFY)) {
                identity = reverts.identityFor(server.id(), shard);
                revertsBefore = reverts.all().size();
                return Future.succeededFuture(new StoredRowSet(List.of(), List.of()));
            }
            if (sql.contains("pg_stat_activity")) {
                return Future.succeededFuture(querySessions(arguments));
            }
            if (sql.contains("pg_logical_emit_message")) {
                return Future.succeededFuture(new StoredRowSet(List.of(), List.of()));
            }
            try {
                if (shard == ShardConnections.CATALOG && store.shardsOf(sql, arguments).stream()
                        .anyMatch(each -> connectResultOf(each) != ConnectResult.OPEN)) {
                    throw new PgException("simulated: a node cannot be reached", "ERROR", "08006", null);
                }
                RowSet<Row> rows = store.call(shard, sql, arguments);
                reverts.wrote(isFlushed);
                return Future.succeededFuture(rows);
            } catch (PgException refused) {
                return Future.failedFuture(refused);
            }
        }

        private void answer(Promise<RowSet<Row>> answer, Future<RowSet<Row>> result) {
            if (!isSilent && !isClosed && open.remove(answer)) {
                server.whileAlive(() -> result.onComplete(answer)).run();
            }
        }

        /** Ends the session by PostgreSQL, and notifies the listener. */
        private void end() {
            isEnded = true;
            breakOff();
        }

        private void breakOff() {
            if (!isSilent) {
                shut();
            }
        }

        private void shut() {
            if (isClosed) {
                return;
            }
            isClosed = true;
            byProcess.remove(processId);
            List<Promise<RowSet<Row>>> unanswered = List.copyOf(open);
            open.clear();
            server.whileAlive(() -> {
                unanswered.forEach(each -> each.fail(new VertxException("connection lost", true)));
                onClose.run();
            }).run();
        }

        @Override
        public Future<DatabaseIdentity> identify() {
            return call(IDENTIFY, Tuple.tuple()).map(_ -> {
                reverts.noticed(server, revertsBefore);
                return identity;
            });
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
        public void drop() {
            if (!isClosed) {
                isClosed = true;
                // The process of the session continues with its call.
                List<Promise<RowSet<Row>>> unanswered = List.copyOf(open);
                open.clear();
                world.after(0, server.whileAlive(() -> {
                    unanswered.forEach(each -> each.fail(new VertxException("connection dropped", true)));
                    onClose.run();
                }));
            }
        }

        @Override
        public Future<Void> close() {
            // Like the client of Vert.x, queues the termination after the unanswered calls.
            if (!isSilent && open.isEmpty()) {
                world.after(0, this::shut);
            }
            return Future.succeededFuture();
        }
    }
}
