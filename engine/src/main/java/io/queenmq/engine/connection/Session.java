package io.queenmq.engine.connection;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

/** A session of PostgreSQL, used by a {@link Connection}. Called on the engine loop. */
public interface Session {
    /** Calls a routine. */
    Future<RowSet<Row>> call(String sql, Tuple arguments);

    /** Executes a query about PostgreSQL itself, such as its other sessions. */
    default Future<RowSet<Row>> ask(String sql, Tuple arguments) {
        return call(sql, arguments);
    }

    /** Reads the identity and history of the database. */
    Future<DatabaseIdentity> identify();

    /** Returns the id of the PostgreSQL process of this session. */
    int processId();

    /** Sets the handler that is called once when the session ends for any reason. */
    void onClose(Runnable handler);

    /** Closes the session properly after its calls in flight. */
    Future<Void> close();

    /** Closes the socket at once. PostgreSQL may continue to execute a call in flight. */
    void drop();
}
