package io.queenmq.engine.connection;

import io.queenmq.schema.RoutineError;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The kinds of failures of database calls, by their consequence for the requests of the call. */
public enum SqlFailure {
    /** The connection was lost. The call may have taken effect. */
    LOST,
    /** PostgreSQL cannot execute such calls now: no disk space, no memory, or a read-only standby. */
    UNAVAILABLE,
    /** Routines or tables of this release are missing from the database. No request is the cause. */
    SCHEMA_MISSING,
    /** The call was rolled back for a temporary reason, and may succeed when it is repeated. */
    TRANSIENT,
    /** The head of a partition changed: catch up, then repeat the transaction. */
    PARTITION_MOVED,
    /** A lease of a transaction is not active. */
    LEASE_GONE,
    /** Messages were encrypted, or left unencrypted, by an outdated catalog: refresh the catalog, then repeat the call. */
    OUTDATED,
    /** A queue is full, so that it cannot store the messages of a transaction. */
    FULL,
    /** Another transaction locks a cursor that this one needs: repeat it after a short delay. */
    BUSY,
    /** A routine rejected the call. The message is for the client. */
    IMPOSSIBLE,
    /** The caller lacks a right that the call requires; the message names the reason for the client. */
    FORBIDDEN,
    /** PostgreSQL rejected the call, and would reject it again. */
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
            case "25006" -> UNAVAILABLE;
            // undefined schema, function, table, column
            case "3F000", "42883", "42P01", "42703" -> SCHEMA_MISSING;
            default -> switch (state.substring(0, 2)) {
                case "08" -> LOST;
                // insufficient resources, system error outside of PostgreSQL
                case "53", "58" -> UNAVAILABLE;
                default -> REFUSED;
            };
        };
    }

    /** Returns true if PostgreSQL answered that it cannot reach another node, which holds a shard. */
    public static boolean isNodeUnreachable(Throwable cause) {
        return cause instanceof PgException failure && failure.getSqlState() != null
                && failure.getSqlState().startsWith("08");
    }

    /** Returns true if the call may have taken effect. */
    public boolean isOutcomeUnknown() {
        return this == LOST || this == DEFECT;
    }

    /** Returns the error message, without codes; never null. */
    public static String messageOf(Throwable cause) {
        return cause instanceof PgException failure
                ? failure.getErrorMessage()
                : Objects.requireNonNullElseGet(cause.getMessage(), cause::toString);
    }

    /** Returns the ids of the partitions that the call could not write to; empty if the failure does not list them. */
    public static Set<UUID> partitionsOf(Throwable cause) {
        if (!(cause instanceof PgException failure) || failure.getDetail() == null) {
            return Set.of();
        }
        return Arrays.stream(failure.getDetail().split(",")).map(UUID::fromString).collect(Collectors.toSet());
    }
}
