package io.queenmq.server.postgres;

import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;

/** What a failed database call means for those who wait for it. */
public enum SqlFailure {
    /** The connection is gone: the call may or may not have taken effect. */
    LOST,
    /** PostgreSQL cannot do anything like it now, whoever asks: no space, no memory, or a standby that only reads. */
    UNABLE,
    /** The call was rolled back by no fault of its own, and may succeed when it is made again. */
    TRANSIENT,
    /** A lane moved on under a transaction: catch up and try again. */
    LANE_MOVED,
    /** A lease a transaction depends on is not live. */
    LEASE_GONE,
    /** Something was encrypted or not by an outdated catalog: read it again and try again. */
    OUTDATED,
    /** A queue has no room for what a transaction pushes. */
    FULL,
    /** Somebody is working on a cursor that a transaction needs: come back in a moment. */
    BUSY,
    /** A routine says that what was asked cannot be done, in words for whoever asked. */
    IMPOSSIBLE,
    /** PostgreSQL refuses what was asked: the same call would fail again. */
    REFUSED,
    /** This server failed, not PostgreSQL. */
    DEFECT;

    public static SqlFailure of(Throwable cause) {
        if (!(cause instanceof PgException failure) || failure.getSqlState() == null) {
            return cause instanceof RuntimeException && !(cause instanceof VertxException) ? DEFECT : LOST;
        }
        String state = failure.getSqlState();
        return switch (state) {
            case "QN001" -> LANE_MOVED;
            case "QN002" -> LEASE_GONE;
            case "QN003" -> OUTDATED;
            case "QN004" -> FULL;
            case "QN006" -> BUSY;
            case "QN400" -> IMPOSSIBLE;
            // serialization failure, deadlock, lock not available, statement timeout
            case "40001", "40P01", "55P03", "57014" -> TRANSIENT;
            // shutting down, crashed, starting up, dropped database, too many connections
            case "57P01", "57P02", "57P03", "57P04", "53300" -> LOST;
            // read-only transaction
            case "25006" -> UNABLE;
            default -> switch (state.substring(0, 2)) {
                case "08" -> LOST;
                // insufficient resources, system error outside of PostgreSQL
                case "53", "58" -> UNABLE;
                default -> REFUSED;
            };
        };
    }

    /** What PostgreSQL said, without codes and decoration. */
    public static String messageOf(Throwable cause) {
        return cause instanceof PgException failure ? failure.getErrorMessage() : cause.getMessage();
    }
}
