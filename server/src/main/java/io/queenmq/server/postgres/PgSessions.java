package io.queenmq.server.postgres;

import io.queenmq.engine.connection.ConnectionPool;
import io.queenmq.engine.connection.DatabaseIdentity;
import io.queenmq.engine.connection.Place;
import io.queenmq.engine.connection.Session;
import io.queenmq.engine.connection.Sessions;
import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sessions of a real PostgreSQL, through the client of Vert.x. Called on the engine loop. */
public final class PgSessions implements Sessions {
    private static final Logger log = LoggerFactory.getLogger(PgSessions.class);
    /** Insufficient privilege, undefined function, feature not supported. */
    private static final Set<String> NOT_ALLOWED = Set.of("42501", "42883", "0A000");
    /** Undefined table, invalid schema name. */
    private static final Set<String> TABLE_MISSING = Set.of("42P01", "3F000");

    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Supplier<Place> place;
    private final Function<Session, Future<Session>> localize;
    /** Null if the sessions are on a node without the tables of the catalog. */
    private final @Nullable UUID serverId;
    private boolean isHistoryHidden;

    /**
     * @param serverId the server whose reports in the catalog are read to compare the history of the database
     * @param schema the schema of tables that a statement names without one
     * @param place returns the present node, because a shard may have moved since the last session was opened
     */
    public PgSessions(Vertx vertx, DatabaseConfig database, Schema.Installed installed,
            ConnectionPool.Durability durability, UUID serverId, String schema, Supplier<Place> place) {
        this.vertx = vertx;
        this.options = SessionOptions.forEngine(database, installed, durability, schema);
        this.place = place;
        // A node of Citus has no tables of the catalog.
        this.serverId = installed.isOnCitus() && !schema.equals(Shards.ALL) ? null : serverId;
        this.localize = installed.isOnCitus() && !schema.equals(Shards.ALL)
                ? session -> LocalSession.of(session, installed.api(), schema)
                : Future::succeededFuture;
    }

    @Override
    public Future<Session> open() {
        Place now = place.get();
        return PgConnection.connect(vertx, new PgConnectOptions(options).setHost(now.host()).setPort(now.port()))
                .compose(SessionOptions::liftTransactionTimeout)
                .compose(connection -> localize.apply(new PgSession(PgConnection.cast(connection))));
    }

    private final class PgSession implements Session {
        private final PgConnection connection;
        private @Nullable Throwable connectionError;

        PgSession(PgConnection connection) {
            this.connection = connection;
            connection.exceptionHandler(cause -> connectionError = cause);
        }

        /**
         * Fails a call whose connection was closed by an error. The client assigns an error with the code of a shutdown to no
         * call, and closes the connection. Citus raises such an error in the commit of a call if the session of a worker was
         * ended: then the call had no effect, although its rows were received before.
         */
        @Override
        public Future<RowSet<Row>> call(String sql, Tuple arguments) {
            return connection.preparedQuery(sql).execute(arguments)
                    .compose(rows -> connectionError == null
                            ? Future.succeededFuture(rows)
                            : Future.failedFuture(connectionError));
        }

        @Override
        public Future<DatabaseIdentity> identify() {
            if (isHistoryHidden) {
                return identify(DatabaseIdentity.START);
            }
            return identify(DatabaseIdentity.HISTORY).recover(cause -> {
                // Insufficient privilege, or a kind of PostgreSQL that does not disclose it.
                if (!hasState(cause, NOT_ALLOWED)) {
                    return Future.failedFuture(cause);
                }
                isHistoryHidden = true;
                log.warn("database history cannot be read, so only a restart of PostgreSQL is noticed: {}",
                        cause.getMessage());
                return identify(DatabaseIdentity.START);
            });
        }

        private Future<DatabaseIdentity> identify(String sql) {
            if (serverId == null) {
                return identify(sql, Tuple.tuple());
            }
            // In a database that was restored to a time before Queen was installed, calls report what is missing.
            return identify(sql + DatabaseIdentity.WITH_REPORT, Tuple.of(serverId))
                    .recover(cause -> hasState(cause, TABLE_MISSING)
                            ? identify(sql, Tuple.tuple())
                            : Future.failedFuture(cause));
        }

        private Future<DatabaseIdentity> identify(String sql, Tuple arguments) {
            return connection.preparedQuery(sql).execute(arguments)
                    .map(rows -> DatabaseIdentity.of(rows.iterator().next()));
        }

        private static boolean hasState(Throwable cause, Set<String> states) {
            return cause instanceof PgException failure && failure.getSqlState() != null
                    && states.contains(failure.getSqlState());
        }

        @Override
        public int processId() {
            return connection.processId();
        }

        @Override
        public void onClose(Runnable handler) {
            connection.closeHandler(_ -> handler.run());
        }

        @Override
        public Future<Void> close() {
            return connection.close();
        }

        @Override
        public void drop() {
            Wire.cut(connection);
        }
    }
}
