package io.queenmq.engine.connection;

import io.queenmq.schema.RoutineError;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What a failed database call means for those who wait for it. */
public enum SqlFailure {
    /** The connection is gone: the call may or may not have taken effect. */
    LOST,
    /** PostgreSQL cannot do anything like it now, whoever asks: no space, no memory, or a standby that only reads. */
    UNABLE,
    /** Routines or tables that this release needs are missing from the database. No request is at fault. */
    SCHEMA_MISSING,
    /** The call was rolled back by no fault of its own, and may succeed when it is made again. */
    TRANSIENT,
    /** A partition moved on under a transaction: catch up and try again. */
    PARTITION_MOVED,
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
    /** The caller lacks a right that the call requires; the message names the reason for the client. */
    FORBIDDEN,
    /** PostgreSQL refuses what was asked: the same call would fail again. */
    REFUSED,
    /** This server failed, not PostgreSQL. */
    DEFECT;

    public static SqlFailure of(Throwable cause) {
        if (!(cause instanceof PgException failure) || failure.getSqlState() == null) {
            return cause instanceof RuntimeException && !(cause instanceof VertxException) ? DEFECT : LOST;
        }
        String state = failure.getSqlState();
        return RoutineError.of(state).map(SqlFailure::ofRoutine).orElseGet(() -> ofPostgres(state));
    }

    private static SqlFailure ofRoutine(RoutineError error) {
        return switch (error) {
            case PARTITION_MOVED -> PARTITION_MOVED;
            case LEASE_GONE -> LEASE_GONE;
            case OUTDATED -> OUTDATED;
            case FULL -> FULL;
            case BUSY -> BUSY;
            case IMPOSSIBLE -> IMPOSSIBLE;
            case FORBIDDEN -> FORBIDDEN;
            case SERVER_NEEDED, SHARD_MOVED -> REFUSED;
        };
    }

    private static SqlFailure ofPostgres(String state) {
        return switch (state) {
            // serialization failure, deadlock, lock not available, statement timeout
            case "40001", "40P01", "55P03", "57014" -> TRANSIENT;
            // shutting down, crashed, starting up, dropped database, too many connections
            case "57P01", "57P02", "57P03", "57P04", "53300" -> LOST;
            // read-only transaction
            case "25006" -> UNABLE;
            // undefined schema, function, table, column
            case "3F000", "42883", "42P01", "42703" -> SCHEMA_MISSING;
            default -> switch (state.substring(0, 2)) {
                case "08" -> LOST;
                // insufficient resources, system error outside of PostgreSQL
                case "53", "58" -> UNABLE;
                default -> REFUSED;
            };
        };
    }

    /** Returns true if PostgreSQL answered that it cannot reach another node, which holds a shard. */
    public static boolean isNodeUnreachable(Throwable cause) {
        return cause instanceof PgException failure && failure.getSqlState() != null
                && failure.getSqlState().startsWith("08");
    }

    /** Whether the call may have taken effect. */
    public boolean isOutcomeUnknown() {
        return this == LOST || this == DEFECT;
    }

    /** What PostgreSQL said, without codes and decoration. */
    public static String messageOf(Throwable cause) {
        return cause instanceof PgException failure ? failure.getErrorMessage() : cause.getMessage();
    }

    /** Returns the ids of the partitions that the call could not write to, as far as the failure names them. */
    public static Set<UUID> partitionsOf(Throwable cause) {
        if (!(cause instanceof PgException failure) || failure.getDetail() == null) {
            return Set.of();
        }
        return Arrays.stream(failure.getDetail().split(",")).map(UUID::fromString).collect(Collectors.toSet());
    }
}
