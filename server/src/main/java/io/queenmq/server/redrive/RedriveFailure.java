package io.queenmq.server.redrive;

import io.queenmq.engine.connection.SqlFailure;

/**
 * The reason why a step of a redrive was rolled back.
 *
 * @param reason a text for operators; never null
 * @param isFault true if the redrive itself caused the failure: repeated faults fail the redrive permanently. False if the
 *            redrive only has to wait, for PostgreSQL or for another server
 */
record RedriveFailure(String reason, boolean isFault) {
    static RedriveFailure of(Throwable cause) {
        String message = SqlFailure.messageOf(cause);
        return new RedriveFailure(message == null ? cause.toString() : message, isFault(cause));
    }

    private static boolean isFault(Throwable cause) {
        return !(cause instanceof RedriveDeferred) && switch (SqlFailure.of(cause)) {
            case LOST, UNAVAILABLE, TRANSIENT, OUTDATED -> false;
            case SCHEMA_MISSING, PARTITION_MOVED, LEASE_GONE, FULL, BUSY, IMPOSSIBLE, FORBIDDEN, REFUSED, DEFECT ->
                true;
        };
    }
}
