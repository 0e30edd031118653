package io.queenmq.engine.connection;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;

/** One session of PostgreSQL, as a {@link Connection} uses it. Called on the engine loop. */
public interface Session {
    /** Calls a routine about what is stored. */
    Future<RowSet<Row>> call(String sql, Tuple arguments);

    /** Asks about PostgreSQL itself, such as its other sessions. */
    default Future<RowSet<Row>> ask(String sql, Tuple arguments) {
        return call(sql, arguments);
    }

    /** Reads which history the database has that this session reached. */
    Future<DatabaseIdentity> identify();

    /** The process of PostgreSQL that serves this session. */
    int processId();

    /** The handler is called once, whoever ended the session. */
    void onClose(Runnable handler);

    /** Closes the connection when what is under way is done, and tells PostgreSQL so. */
    Future<Void> close();

    /** Closes the connection at once, whatever is under way; PostgreSQL may go on with that. */
    void drop();
}
