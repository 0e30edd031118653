package io.queenmq.server.operator;

import io.queenmq.engine.connection.SqlFailure;
import io.queenmq.engine.reply.Failure;

/** The response to a call for operators that PostgreSQL did not execute. */
sealed interface FailedCall {
    /** The routine rejected the request, with a text for the operator. */
    record Rejected(OperatorOutcome.Impossible outcome) implements FailedCall {}

    record Failed(Failure failure) implements FailedCall {}

    static FailedCall of(Throwable cause) {
        String message = SqlFailure.messageOf(cause);
        return switch (SqlFailure.of(cause)) {
            case IMPOSSIBLE -> new Rejected(new OperatorOutcome.Impossible(message));
            case REFUSED, FORBIDDEN, FULL, DEFECT -> new Failed(new Failure.Refused(message));
            case LOST -> new Failed(new Failure.Unavailable("PostgreSQL is unavailable: " + message));
            case UNAVAILABLE, SCHEMA_MISSING, TRANSIENT, PARTITION_MOVED, LEASE_GONE, OUTDATED, BUSY ->
                new Failed(new Failure.Unavailable(message));
        };
    }
}
