package io.queenmq.server.upkeep;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.concurrent.TimeoutException;
import org.slf4j.event.Level;

/** The consequence of a failure in one shard for the rest of a pass. */
enum UpkeepFailure {
    /**
     * PostgreSQL rejected a statement, or cannot reach the node of the shard. The pass continues with the next shard; if the
     * session has ended, the next call finds out.
     */
    SHARD,
    /** PostgreSQL does not respond, or the connection is closed. The session ends, and with it the lock. */
    SESSION,
    /** This server failed. The pass continues with the next shard. */
    DEFECT;

    static UpkeepFailure of(Throwable cause) {
        return switch (cause) {
            // The first case is also a VertxException.
            case PgException _ -> SHARD;
            case VertxException _ -> SESSION;
            case TimeoutException _ -> SESSION;
            default -> DEFECT;
        };
    }

    /** Returns the log level of a lost session. A long outage is logged as a warning once. */
    static Level logLevel(boolean isConnected, boolean wasConnected) {
        return isConnected || wasConnected ? Level.WARN : Level.DEBUG;
    }
}
