package io.queenmq.engine.simulation.store;

import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** The errors of statements. */
final class SqlError {
    private SqlError() {}

    static PgException of(String sqlState, String message) {
        return new PgException(message, "ERROR", sqlState, null);
    }

    /** @param partitionIds the partitions that could not be written to */
    static PgException partitionMoved(List<UUID> partitionIds) {
        return new PgException("the head of a partition has moved since the duplicate check", "ERROR", "QN001",
                partitionIds.stream().map(UUID::toString).collect(Collectors.joining(",")));
    }

    static PgException leaseIsGone() {
        return of("QN002", "the lease of an acknowledged message has expired or was taken over");
    }

    static PgException requiredLeaseIsGone() {
        return of("QN002", "a required lease has expired or was taken over");
    }

    static PgException outdated() {
        return of("QN003", "encryption was switched on since this server read the catalog");
    }

    static PgException full(Long maxSize) {
        return of("QN004", "the queue is full: maxSize " + maxSize);
    }

    static PgException busy() {
        return of("QN006", "a consumer group's place in a partition is locked by another transaction of the database");
    }

    static PgException locked() {
        return of("55P03", "canceling statement due to lock timeout");
    }
}
