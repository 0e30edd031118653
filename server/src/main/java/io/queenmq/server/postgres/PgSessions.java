package io.queenmq.server.postgres;

import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.DatabaseConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sessions of a real PostgreSQL, through the client of Vert.x. Called on the engine loop. */
public final class PgSessions implements Sessions {
    private final Vertx vertx;
    private final PgConnectOptions options;
    private final Supplier<Place> place;
    private final Function<Session, Future<Session>> settle;

    /**
     * @param schema whose tables are meant where a statement names none
     * @param place asked each time, because a shard may have moved since the last session was opened
     */
    public PgSessions(Vertx vertx, DatabaseConfig database, Schema.Installed installed, Links.Durability durability,
            String schema, Supplier<Place> place) {
        this.vertx = vertx;
        this.options = SessionOptions.forEngine(database, installed, durability, schema);
        this.place = place;
        this.settle = installed.isOnCitus() && !schema.equals(Shards.ALL)
                ? session -> LocalSession.of(session, installed.api(), schema)
                : Future::succeededFuture;
    }

    @Override
    public Future<Session> open() {
        Place now = place.get();
        return PgConnection.connect(vertx, new PgConnectOptions(options).setHost(now.host()).setPort(now.port()))
                .compose(connection -> settle.apply(new PgSession(connection)));
    }

    private static final class PgSession implements Session {
        private final PgConnection connection;
        private Throwable end;

        PgSession(PgConnection connection) {
            this.connection = connection;
            connection.exceptionHandler(cause -> end = cause);
        }

        /**
         * The client takes an error with the code of a shutdown for one that belongs to no call, and closes the connection. But
         * Citus raises it in the commit of a call, when the session of a worker was ended: then nothing took effect, though the
         * rows came before.
         */
        @Override
        public Future<RowSet<Row>> call(String sql, Tuple arguments) {
            return connection.preparedQuery(sql).execute(arguments)
                    .compose(rows -> end == null ? Future.succeededFuture(rows) : Future.failedFuture(end));
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
